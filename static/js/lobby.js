// The lobby's socket: answers its beats, and says whether the lists are live.
"use strict";

(() => {
  const lobby = document.getElementById("lobby");
  const dot = document.getElementById("live");

  function say(state) {
    if (dot.dataset.state === state) return;
    dot.dataset.state = state;
    dot.textContent = dot.dataset[state];
    dot.classList.toggle("lost", state !== "on");
    dot.hidden = false;
  }

  lobby.addEventListener("htmx:ws:before:message:incoming", (event) => {
    const { connection, message } = event.detail;
    say("on");
    if (message.data.startsWith('{"beat"')) connection.socket.send("beat");
  });

  lobby.addEventListener("htmx:ws:close", (event) => {
    say(event.detail.code === 4001 ? "out" : "off");
  });

  htmx.process(lobby); // htmx may have looked at the page before its extension for sockets was there
})();
