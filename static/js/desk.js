/* The desk: the rules in plain words follow what is typed in a ruleset's form. Without this the button shows them. */
"use strict";

{
  const form = document.getElementById("ruleset_form");
  const words = document.getElementById("in-words");
  const button = document.getElementById("preview");
  let latest = 0;

  async function follow() {
    const mine = ++latest;
    try {
      const answer = await fetch(button.formAction, {
        method: "POST", body: new FormData(form), headers: { "X-Requested-With": "desk" },
      });
      if (answer.ok && mine === latest) words.innerHTML = await answer.text();
    } catch {
      /* The button still asks, in a page of its own. */
    }
  }

  if (form && words && button) form.addEventListener("change", follow);
}
