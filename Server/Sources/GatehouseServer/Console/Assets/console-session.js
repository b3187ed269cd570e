// Signing in to the console, and the proof that a request comes from the browser that signed in.

/** The value of `x-gatehouse-console` for a request. */
export async function proof(method, path) { return "1"; }

/** Lets the person sign in, then loads the console again. */
export async function signInPage(main) { main.append("Sign in"); }

export async function signOut() { location.reload(); }

/** Signs in again before a sensitive step. Throws if the person gives up. */
export async function askAgain() {}
