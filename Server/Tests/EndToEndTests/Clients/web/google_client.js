// Google's SDK as a client of page.js. scripts/javascript-sdk builds its bundle.
"use strict";

function makeClient({ server, apiKey, authDomain, isEmulator, appName }) {
  const sdk = firebaseSDK;
  const app = sdk.initializeApp({ apiKey, authDomain, projectId: "demo" }, appName);
  const auth = sdk.getAuth(app);
  if (isEmulator) {
    sdk.connectAuthEmulator(auth, server, { disableWarnings: true });
  } else {
    auth.config.apiHost = auth.config.tokenApiHost = new URL(server).host;
  }

  function provider(id, parameters) {
    const made =
      id === "google.com" ? new sdk.GoogleAuthProvider() : new sdk.OAuthProvider(id);
    if (id.startsWith("oidc.")) made.addScope("email");
    return made.setCustomParameters(parameters);
  }

  // The credential of the last sign-in, for `later`.
  let kept = null;

  function keep(id, response) {
    const of = id === "google.com" ? sdk.GoogleAuthProvider : sdk.OAuthProvider;
    kept = of[response instanceof Error ? "credentialFromError" : "credentialFromResult"](response);
  }

  function told(result) {
    if (!result) return null;
    keep(result.providerId ?? sdk.getAdditionalUserInfo(result)?.providerId, result);
    const details = sdk.getAdditionalUserInfo(result);
    return {
      operation: result.operationType, uid: result.user.uid, email: result.user.email,
      isAnonymous: result.user.isAnonymous, isNewUser: details?.isNewUser ?? false,
      providers: result.user.providerData.map((data) => data.providerId),
      credential: sdk.OAuthProvider.credentialFromResult(result)?.toJSON() ?? null,
    };
  }

  // Keeps the credential of a failed sign-in, too.
  async function finish(id, work) {
    try {
      return told(await work);
    } catch (error) {
      if (error.customData?._tokenResponse) keep(id, error);
      throw error;
    }
  }

  const operations = {
    signInPopup: (id) => sdk.signInWithPopup(auth, id),
    linkPopup: (id) => sdk.linkWithPopup(auth.currentUser, id),
    reauthPopup: (id) => sdk.reauthenticateWithPopup(auth.currentUser, id),
    signInRedirect: (id) => sdk.signInWithRedirect(auth, id),
    linkRedirect: (id) => sdk.linkWithRedirect(auth.currentUser, id),
    reauthRedirect: (id) => sdk.reauthenticateWithRedirect(auth.currentUser, id),
  };

  return {
    popup: async (kind, id, parameters) => {
      return finish(id, operations[`${kind}Popup`](provider(id, parameters)));
    },
    redirect: (kind, id, parameters) => {
      sessionStorage.setItem("asked", id);
      return operations[`${kind}Redirect`](provider(id, parameters));
    },
    result: async () => finish(sessionStorage.getItem("asked"), sdk.getRedirectResult(auth)),
    later: async (kind) => {
      const use = {
        signIn: () => sdk.signInWithCredential(auth, kept),
        link: () => sdk.linkWithCredential(auth.currentUser, kept),
        reauth: () => sdk.reauthenticateWithCredential(auth.currentUser, kept),
      }[kind];
      const result = await use();
      return { operation: result.operationType, uid: result.user.uid };
    },
    anonymous: async () => (await sdk.signInAnonymously(auth)).user.uid,
    user: async () => {
      await auth.authStateReady();
      await auth.currentUser?.reload();
      await auth.currentUser?.getIdToken(true);
      return auth.currentUser && {
        uid: auth.currentUser.uid, email: auth.currentUser.email,
        isVerified: auth.currentUser.emailVerified,
        providers: auth.currentUser.providerData.map((data) => data.providerId),
      };
    },
    signOut: () => sdk.signOut(auth),
    speak: (language) => { auth.languageCode = language; },
    createUser: async (email, password) =>
      (await sdk.createUserWithEmailAndPassword(auth, email, password)).user.uid,
    signIn: async (email, password) =>
      (await sdk.signInWithEmailAndPassword(auth, email, password)).user.uid,
    verify: (url) => sdk.sendEmailVerification(auth.currentUser, { url }),
    change: (email, url) => sdk.verifyBeforeUpdateEmail(auth.currentUser, email, { url }),
    reset: (email, url) => sdk.sendPasswordResetEmail(auth, email, { url }),
    sendLink: (email, url) =>
      sdk.sendSignInLinkToEmail(auth, email, { url, handleCodeInApp: true }),
    followLink: async (email) => {
      if (!sdk.isSignInWithEmailLink(auth, location.href)) throw new Error("not a link");
      return (await sdk.signInWithEmailLink(auth, email, location.href)).user.uid;
    },
  };
}
