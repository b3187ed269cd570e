// Passkeys for a web page, as an ES module:
//
//   import { Passkeys } from "https://auth.example.com/__/auth/passkeys.js";
//   const passkeys = new Passkeys({ apiKey: "…" });
//   const { idToken, refreshToken } = await passkeys.signIn();
//
// Each function but `signal…` returns what the server answers, and throws a PasskeyError with the server's
// code, or the DOMException of the browser: NotAllowedError if the user cancelled, InvalidStateError if the
// authenticator has a passkey of the account already.

const server = new URL("../..", import.meta.url);

export class PasskeyError extends Error {
  constructor(message) {
    super(message);
    this.name = "PasskeyError";
    this.code = message.split(" : ")[0];
  }
}

export class Passkeys {
  #apiKey;
  #url;
  #fetch;

  /** `fetch` sends the requests. */
  constructor({ apiKey, url = server, fetch = (...request) => globalThis.fetch(...request) }) {
    this.#apiKey = apiKey;
    this.#url = new URL(url);
    this.#fetch = fetch;
  }

  /** Whether this browser has passkeys at all. */
  static get isSupported() {
    return typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";
  }

  /** Whether an input with autocomplete="username webauthn" can offer passkeys. */
  static async canAutofill() {
    return Passkeys.isSupported
      && await PublicKeyCredential.isConditionalMediationAvailable?.() === true;
  }

  /**
   * Adds a passkey to the account of the ID token. With `conditional`, the browser does it without a dialog,
   * if the user has just signed in with a stored password. With `mfaPendingCredential`, it becomes the second
   * factor that the project requires.
   */
  async add({ idToken, mfaPendingCredential, name, conditional = false }) {
    const user = { idToken, mfaPendingCredential };
    return this.#create(user, { ...user, name }, conditional);
  }

  /** Creates an account with a passkey. */
  async signUp({ email = "", displayName = "", name } = {}) {
    return this.#create({ email, displayName }, { name }, false);
  }

  /**
   * Signs in. `email` names the user; `idToken` is of a user who authenticates again. With `conditional`, the
   * passkeys appear in the suggestions of an input field, until `signal` aborts.
   */
  async signIn({ email, idToken, conditional = false, signal } = {}) {
    return this.#get(
      { email, idToken }, { mediation: conditional ? "conditional" : "optional", signal },
      (credential) => this.#call("passkeySignIn:finalize", { credential }));
  }

  /** Shows a passkey in place of the second factor: if `passkeyAvailable` is in the answer to the first one. */
  async secondFactor({ mfaPendingCredential }) {
    return this.#get(
      { mfaPendingCredential }, {},
      (credential) => this.#call("mfaSignIn:finalize", {
        mfaPendingCredential, passkeyVerificationInfo: { credential },
      }));
  }

  /**
   * Tells the browser which passkeys the account has, so that it offers no others: after one was removed.
   * `passkeyInfo` is that of the account in the answer of accounts:lookup; it must not be empty.
   */
  async signalAccepted(passkeyInfo) {
    const { publicKey } = await this.#call("passkeySignIn:start", {});
    await Passkeys.#tell("signalAllAcceptedCredentials", {
      rpId: publicKey.rpId,
      userId: base64url(passkeyInfo[0].userHandle),
      allAcceptedCredentialIds: passkeyInfo.map(({ credentialId }) => base64url(credentialId)),
    });
  }

  async #get(start, options, finalize) {
    const { publicKey } = await this.#call("passkeySignIn:start", start);
    const credential = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey), ...options,
    });
    try {
      return await finalize(credential.toJSON());
    } catch (error) {
      if (error.code === "PASSKEY_CREDENTIAL_NOT_FOUND") {
        await Passkeys.#tell("signalUnknownCredential", {
          rpId: publicKey.rpId, credentialId: credential.id,
        });
      }
      throw error;
    }
  }

  async #create(start, finalize, conditional) {
    const { publicKey } = await this.#call("passkeyEnrollment:start", start);
    const credential = await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey),
      ...(conditional ? { mediation: "conditional" } : {}),
    });
    return this.#call("passkeyEnrollment:finalize", { ...finalize, credential: credential.toJSON() });
  }

  async #call(method, body) {
    const url = new URL(`v2/accounts/${method}`, this.#url);
    url.searchParams.set("key", this.#apiKey);
    const response = await this.#fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new PasskeyError(answer.error?.message || `HTTP ${response.status}`);
    return answer;
  }

  /** Browsers without the signal API keep their list as it is. */
  static async #tell(signal, value) {
    try {
      await PublicKeyCredential[signal]?.(value);
    } catch {
      // Only a hint.
    }
  }
}

const base64url = (text) =>
  text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
