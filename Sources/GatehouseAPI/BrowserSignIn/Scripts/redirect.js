// Keeps how the sign-in ended in this tab, under this server's origin, and goes back to the page that
// asked. Its frame, iframe.js, finds it there.
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
  // Replaced, so that going back doesn't bring the answer again.
  location.replace(returnUrl);
})();
