"""What the database itself holds about coins, in triggers, so that raw SQL and the admin cannot go around it.

- A transfer moves the two balances; nothing else may change a balance, and an account begins with none.
- A transfer is never changed or deleted, an account never deleted or turned into another.
- Every transfer has a wallet at exactly one end: coins never pass from one person to another, nor between tables.

The rest are constraints of the models. A migration that changes one of the two tables on SQLite makes the table
anew and must ``lift`` before and ``install`` after; ``missing`` tells whether that was forgotten.
"""

from __future__ import annotations

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

NAMES = frozenset(
    {
        "coins_account_empty",
        "coins_account_kept",
        "coins_account_same",
        "coins_balance_moved",
        "coins_transfer_ends",
        "coins_transfer_fixed",
        "coins_transfer_kept",
        "coins_transfer_moves",
    }
)
"""Every trigger, on either database."""

TABLES = ("accounts_account", "accounts_transfer")

# SQLite. REPLACE deletes rows without firing their triggers, hence the questions about rows that are there already.
# SQLite cannot say inside a trigger which statement fired it: `coins_moving` has a row while a transfer moves coins.
SQLITE = (
    "CREATE TABLE IF NOT EXISTS coins_moving (transfer INTEGER PRIMARY KEY)",
    """
    CREATE TRIGGER coins_transfer_ends BEFORE INSERT ON accounts_transfer BEGIN
        SELECT RAISE(ABORT, 'coins: a transfer has a wallet at exactly one end') WHERE 1 <> (
            SELECT count(*) FROM accounts_account
            WHERE id IN (NEW.source_id, NEW.target_id) AND kind = 'wallet');
        SELECT RAISE(ABORT, 'coins: a transfer is never replaced') WHERE EXISTS (
            SELECT 1 FROM accounts_transfer WHERE id = NEW.id OR key = NEW.key);
    END
    """,
    """
    CREATE TRIGGER coins_transfer_moves AFTER INSERT ON accounts_transfer BEGIN
        INSERT INTO coins_moving VALUES (NEW.id);
        UPDATE accounts_account SET balance = balance - NEW.amount WHERE id = NEW.source_id;
        UPDATE accounts_account SET balance = balance + NEW.amount WHERE id = NEW.target_id;
        DELETE FROM coins_moving;
    END
    """,
    """
    CREATE TRIGGER coins_transfer_fixed BEFORE UPDATE ON accounts_transfer BEGIN
        SELECT RAISE(ABORT, 'coins: a transfer is never changed');
    END
    """,
    """
    CREATE TRIGGER coins_transfer_kept BEFORE DELETE ON accounts_transfer BEGIN
        SELECT RAISE(ABORT, 'coins: a transfer is never deleted');
    END
    """,
    """
    CREATE TRIGGER coins_account_empty BEFORE INSERT ON accounts_account BEGIN
        SELECT RAISE(ABORT, 'coins: an account begins empty') WHERE NEW.balance <> 0;
        SELECT RAISE(ABORT, 'coins: an account is never replaced') WHERE EXISTS (
            SELECT 1 FROM accounts_account WHERE id = NEW.id OR code = NEW.code OR user_id = NEW.user_id
            OR (kind = 'mint' AND NEW.kind = 'mint'));
    END
    """,
    """
    CREATE TRIGGER coins_balance_moved BEFORE UPDATE OF balance ON accounts_account
    WHEN NEW.balance IS NOT OLD.balance BEGIN
        SELECT RAISE(ABORT, 'coins: only a transfer moves a balance')
        WHERE NOT EXISTS (SELECT 1 FROM coins_moving);
    END
    """,
    """
    CREATE TRIGGER coins_account_same BEFORE UPDATE ON accounts_account
    WHEN NEW.id IS NOT OLD.id OR NEW.kind IS NOT OLD.kind OR NEW.code IS NOT OLD.code
        OR (NEW.user_id IS NOT OLD.user_id AND NEW.user_id IS NOT NULL) BEGIN
        SELECT RAISE(ABORT, 'coins: an account stays whose it is');
    END
    """,
    """
    CREATE TRIGGER coins_account_kept BEFORE DELETE ON accounts_account BEGIN
        SELECT RAISE(ABORT, 'coins: an account is never deleted');
    END
    """,
)

# PostgreSQL. The balances are locked in the order of the accounts, so that two transfers cannot wait for each other.
POSTGRES = (
    """
    CREATE FUNCTION coins_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING MESSAGE = 'coins: ' || TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
    END $$
    """,
    """
    CREATE FUNCTION coins_ends() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF 1 <> (SELECT count(*) FROM accounts_account
                 WHERE id IN (NEW.source_id, NEW.target_id) AND kind = 'wallet') THEN
            RAISE EXCEPTION USING MESSAGE = 'coins: a transfer has a wallet at exactly one end',
                ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE FUNCTION coins_move() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM 1 FROM accounts_account WHERE id IN (NEW.source_id, NEW.target_id)
            ORDER BY id FOR NO KEY UPDATE;
        UPDATE accounts_account SET balance = balance - NEW.amount WHERE id = NEW.source_id;
        UPDATE accounts_account SET balance = balance + NEW.amount WHERE id = NEW.target_id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER coins_transfer_ends BEFORE INSERT ON accounts_transfer
    FOR EACH ROW EXECUTE FUNCTION coins_ends()
    """,
    """
    CREATE TRIGGER coins_transfer_moves AFTER INSERT ON accounts_transfer
    FOR EACH ROW EXECUTE FUNCTION coins_move()
    """,
    """
    CREATE TRIGGER coins_transfer_fixed BEFORE UPDATE ON accounts_transfer
    FOR EACH STATEMENT EXECUTE FUNCTION coins_refuse('a transfer is never changed')
    """,
    """
    CREATE TRIGGER coins_transfer_kept BEFORE DELETE OR TRUNCATE ON accounts_transfer
    FOR EACH STATEMENT EXECUTE FUNCTION coins_refuse('a transfer is never deleted')
    """,
    """
    CREATE TRIGGER coins_account_empty BEFORE INSERT ON accounts_account
    FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION coins_refuse('an account begins empty')
    """,
    """
    CREATE TRIGGER coins_balance_moved BEFORE UPDATE OF balance ON accounts_account
    FOR EACH ROW WHEN (NEW.balance IS DISTINCT FROM OLD.balance AND pg_trigger_depth() = 0)
    EXECUTE FUNCTION coins_refuse('only a transfer moves a balance')
    """,
    """
    CREATE TRIGGER coins_account_same BEFORE UPDATE ON accounts_account
    FOR EACH ROW WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.kind IS DISTINCT FROM OLD.kind
        OR NEW.code IS DISTINCT FROM OLD.code
        OR (NEW.user_id IS DISTINCT FROM OLD.user_id AND NEW.user_id IS NOT NULL))
    EXECUTE FUNCTION coins_refuse('an account stays whose it is')
    """,
    """
    CREATE TRIGGER coins_account_kept BEFORE DELETE OR TRUNCATE ON accounts_account
    FOR EACH STATEMENT EXECUTE FUNCTION coins_refuse('an account is never deleted')
    """,
)

POSTGRES_FUNCTIONS = ("coins_refuse", "coins_ends", "coins_move")


def install(to: BaseDatabaseWrapper) -> None:
    """Put the guards in place, in a database that has the two tables and no guards."""
    with to.cursor() as cursor:
        for statement in POSTGRES if to.vendor == "postgresql" else SQLITE:
            cursor.execute(statement)


def lift(of: BaseDatabaseWrapper) -> None:
    """Take the guards away, those that are there."""
    with of.cursor() as cursor:
        if of.vendor == "postgresql":
            for function in POSTGRES_FUNCTIONS:
                cursor.execute(f"DROP FUNCTION IF EXISTS {function}() CASCADE")
        else:
            for name in NAMES:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
            cursor.execute("DROP TABLE IF EXISTS coins_moving")


def missing() -> list[str]:
    """The guards that are not in place, by name; none in a sound database."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
                " WHERE tgenabled = 'O' AND relname = ANY(%s) AND pg_table_is_visible(pg_class.oid)",
                [list(TABLES)],
            )
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        return sorted(NAMES - {name for (name,) in cursor.fetchall()})
