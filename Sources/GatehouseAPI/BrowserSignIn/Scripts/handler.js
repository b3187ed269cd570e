// A provider's answer in the fragment, which browsers keep to themselves, is repeated as a query, at
// the address where it came: each provider has its own.
"use strict";

// Replaced, so that going back doesn't bring the answer again.
if (location.hash.length > 1) {
  // Begins with "?", so that the path stays.
  location.replace((location.search ? location.search + "&" : "?") + location.hash.substring(1));
}
