// Reports the result of the sign-in to the page that opened this window.
//
// Not directly to that page, whose origin isn't known here. The message is offered to every frame
// in it, for this server's origin only, which the browser enforces. That frame is iframe.js, which
// runs only in the project's own pages and passes the message on.
"use strict";

(() => {
  const everyMilliseconds = 250;
  // Uses the clock, because timers are slow in a background window.
  const givesUpAfterMilliseconds = 10000;
  // The SDK closes this window when its sign-in is done. A window that closes earlier means to the
  // SDK that the user cancelled.
  const closeAfterMilliseconds = 8000;

  // The parameters in the URL have been used.
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
