// Repeats a provider's answer in the fragment, which browsers don't send to servers, as a query, at
// the URL where it arrived: each provider has its own.
"use strict";

// Replaces the history entry, so that going back doesn't send the answer again.
if (location.hash.length > 1) {
  // Begins with "?", so that the path is kept.
  location.replace((location.search ? location.search + "&" : "?") + location.hash.substring(1));
} else {
  // Nobody sent the browser here.
  document.getElementById("text").hidden = true;
  document.getElementById("failure").hidden = false;
}
