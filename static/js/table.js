// The table page. The server draws everything; this keeps what is shown in step with it, counts the clocks down,
// and says why a dimmed card may not be played. Without it the page works too, and renews itself.
(() => {
  "use strict";

  const table = document.getElementById("table");
  const at = (id) => document.getElementById(id);
  const live = at("live");
  const { title } = document;
  const digits = [...table.dataset.digits];
  const SILENCE = 12000; // ms without a word until the page asks; the server beats every 10 s
  let version = Number(table.dataset.version);
  let ahead = Number(table.dataset.now) - Date.now(); // the server's clock less this one
  let heard = Date.now();
  let asked = 0;
  let asking = false;
  let shut = false; // the server said not to come back
  let socket = null;
  let lost, told, reasonShown; // timers
  let focused = null;
  let phase = at("turn").dataset.phase;

  // ---------- versions: nothing older than what is shown is ever shown ----------

  function arrives(newer) {
    version = newer;
    table.classList.remove("still");
    tell("");
  }

  function tell(sentence) {
    at("notice").textContent = sentence;
  }

  async function ask() {
    if (asking || shut) return;
    asking = true;
    asked = Date.now();
    try {
      const answer = await fetch(`${table.dataset.board}?v=${version}`, { headers: { "HX-Request": "true" } });
      const text = await answer.text();
      if (answer.ok) heard = Date.now();
      const newer = Number(answer.headers.get("X-Table-Version"));
      if (answer.status === 200 && newer > version) {
        arrives(newer);
        await htmx.swap({ sourceElement: table, target: table, swap: "none", text });
      }
    } catch {
      // not reachable: the next silence asks again
    } finally {
      asking = false;
    }
  }

  document.addEventListener("htmx:ws:before:message:incoming", (event) => {
    const { connection, message } = event.detail;
    const { beat, at: stands, v, from = version } = JSON.parse(message.data);
    heard = Date.now();
    if (beat) {
      ahead = beat - heard;
      connection.socket.send("beat");
      if (stands > version) ask(); // a word of it was lost
    } else if (v <= version) {
      event.preventDefault();
    } else if (from !== version) {
      event.preventDefault(); // what changed since a board that is not the one shown
      ask();
    } else {
      arrives(v);
    }
  });

  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    ctx.shown = version;
    ctx.request.body?.set("v", version);
  });

  // The answer to a request, judged at the last moment: a push may have come while it was read.
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks } = event.detail;
    const inside = document.activeElement;
    if (inside && inside !== document.body && table.contains(inside)) {
      const hand = [...table.querySelectorAll("#hand button")];
      focused = { inside, index: Math.max(0, hand.indexOf(inside)) };
    }
    if (!ctx.response) return;
    const newer = Number(ctx.response.headers.get("X-Table-Version"));
    if (ctx.response.status >= 400) {
      if (!newer) tell(table.dataset.failed);
      else if (newer < version) tasks.splice(0, tasks.length, ...tasks.filter((task) => task.target.id === "notice"));
      else version = newer;
      clearTimeout(told);
      told = setTimeout(tell, 8000, "");
    } else if (newer && newer <= version) {
      event.preventDefault();
    } else if (newer && ctx.shown !== version) {
      event.preventDefault();
      ask();
    } else if (newer) {
      arrives(newer);
      if (location.hash === "#leave") closeSheet();
    }
  });

  document.addEventListener("htmx:after:swap", settle);

  function settle() {
    const turn = at("say").dataset.turn;
    document.title = turn ? `${turn} - ${title}` : title;
    const link = at("link");
    if (link) link.value = new URL(link.getAttribute("value"), location.href).href;
    if (focused && !focused.inside.isConnected && document.activeElement === document.body) {
      const hand = table.querySelectorAll("#hand button");
      (hand[Math.min(focused.index, hand.length - 1)] || table).focus({ preventScroll: true });
    }
    focused = null;
    if (phase !== at("turn").dataset.phase) closeSheet();
    phase = at("turn").dataset.phase;
    tick();
  }

  document.addEventListener("htmx:error", (event) => {
    if (event.detail.ctx?.request) tell(table.dataset.failed);
  });

  // ---------- the connection ----------

  document.addEventListener("htmx:ws:after:connection", (event) => {
    socket = event.detail.connection.socket;
    heard = Date.now();
    clearTimeout(lost);
    lost = null;
    live.classList.remove("lost");
    live.textContent = live.dataset.on;
  });

  document.addEventListener("htmx:ws:close", (event) => {
    const said = { 4001: live.dataset.out, 4003: live.dataset.shut, 4004: live.dataset.gone }[event.detail.code];
    if (said) {
      shut = true;
      if (event.detail.code === 4001) live.href = live.dataset.signIn;
      disconnected(said);
    } else if (!lost) {
      lost = setTimeout(() => disconnected(live.dataset.off), 2000);
    }
  });

  function disconnected(said) {
    live.classList.add("lost");
    live.textContent = said;
  }

  const wake = () => !document.hidden && Date.now() - heard > 3000 && ask();
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);

  // ---------- clocks ----------

  function left(until) {
    const seconds = Math.ceil(Math.max(0, until - Date.now() - ahead) / 1000);
    const shown = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    return shown.replace(/\d/g, (digit) => digits[digit]);
  }

  function tick() {
    for (const clock of table.querySelectorAll(".left[data-until]")) {
      const shown = left(clock.dataset.until);
      if (clock.textContent !== shown) clock.textContent = shown;
    }
    const { until, total } = at("turn").dataset;
    const share = until && total ? (100 * (until - Date.now() - ahead)) / total : 100;
    table.style.setProperty("--left", Math.min(100, Math.max(0, share)).toFixed(1));
  }

  setInterval(() => {
    tick();
    const now = Date.now();
    if (now - Math.max(heard, asked) > SILENCE) ask();
    if (socket && now - heard > 3 * SILENCE) {
      socket.close(); // it is open in name only: htmx opens another
      socket = null;
    }
  }, 250);

  // ---------- hands and calls ----------

  function explain(card) {
    const duty = at("duty");
    const reason = at(card.dataset.why === "low" ? "why-low" : "why");
    at("say").textContent = (reason || duty).textContent;
    if (!reason) return;
    for (const each of duty.querySelectorAll(".what")) each.hidden = each !== reason;
    duty.classList.replace("yours", "why");
    clearTimeout(reasonShown);
    reasonShown = setTimeout(unexplain, 4000);
  }

  function unexplain() {
    const duty = at("duty");
    if (!duty.classList.replace("why", "yours")) return;
    duty.querySelectorAll(".what").forEach((each, index) => { each.hidden = index > 0; });
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("#hand button, .calls button");
    if (button && (event.detail > 1 || button.type === "button" || button.hasAttribute("aria-disabled"))) {
      event.preventDefault(); // the second half of a double click, or a card that may not be played
      if (event.detail < 2) explain(button);
    } else if (button) {
      button.classList.add("sent");
    } else if (event.target.id === "copy") {
      copy(event.target);
    }
  });

  async function copy(button) {
    at("link").select();
    try {
      await navigator.clipboard.writeText(at("link").value);
    } catch {
      document.execCommand("copy"); // pages without https have no clipboard
    }
    button.textContent = button.dataset.done;
  }

  // ---------- keys, and the last trick, which any key or touch cuts short ----------

  document.addEventListener("pointerdown", cutShort);
  document.addEventListener("keydown", (event) => {
    cutShort();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const hand = [...table.querySelectorAll("#hand button")];
    const index = hand.indexOf(document.activeElement);
    if (step && index >= 0) hand[(index + step + hand.length) % hand.length].focus();
    if (event.key === "Escape") closeSheet();
  });

  function closeSheet() {
    if (at(location.hash.slice(1))?.matches(".drawers *")) location.hash = "table";
  }

  function cutShort() {
    if (at("stage").classList.contains("after")) table.classList.add("still");
  }

  settle();
  htmx.process(table); // htmx may have looked at the page before its extension for sockets was there
})();
