// Stores the result of the sign-in in this tab, under this server's origin, and returns to the
// requesting page, whose frame, iframe.js, finds it there.
"use strict";

(() => {
  const { returnUrl, ...delivery } = JSON.parse(document.getElementById("data").textContent);
  const key = "gatehouse.event." + JSON.stringify([delivery.apiKey, delivery.appName]);
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...delivery, at: Date.now() }));
  } catch {
    document.getElementById("text").hidden = true;
    document.getElementById("failure").hidden = false;
    return;
  }
  // Replaces the history entry, so that going back doesn't send the answer again.
  location.replace(returnUrl);
})();
