// Tells the page that opened this window how the sign-in ended.
//
// Not to that page itself: this can't know whose it is. Every frame in it is offered the message under
// the condition that it is of this server's origin, which the browser keeps. That is iframe.js, which
// runs in the project's own pages alone and passes it on.
"use strict";

(() => {
  const everyMilliseconds = 250;
  // By the clock: a window in the background has its timers slowed.
  const givesUpAfterMilliseconds = 10000;
  // The SDK closes this window once its sign-in is done, and takes a window that closes before for a
  // person who changed their mind.
  const closeAfterMilliseconds = 8000;

  // What is in the address has been used.
  history.replaceState(null, "", location.pathname);

  const delivery = JSON.parse(document.getElementById("data").textContent);
  const id = Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join("-");
  const opener = window.opener;
  const start = performance.now();
  let timer;

  function offer() {
    const isLate = performance.now() - start > givesUpAfterMilliseconds;
    if (!opener || opener.closed || isLate) return fail();
    const message = { gatehouse: "event", id, ...delivery };
    for (let index = 0; index < opener.length; index += 1) {
      opener[index].postMessage(message, location.origin);
    }
  }

  function fail() {
    clearInterval(timer);
    document.getElementById("text").hidden = true;
    document.getElementById("failure").hidden = false;
  }

  addEventListener("message", ({ origin, data }) => {
    if (origin !== location.origin || data?.gatehouse !== "taken" || data.id !== id) return;
    clearInterval(timer);
    if (data.isTaken !== true) return fail();
    setTimeout(() => window.close(), closeAfterMilliseconds);
  });

  timer = setInterval(offer, everyMilliseconds);
  offer();
})();
