// Google's SDK as a client of page.js. The bundle is the person's to make: scripts/javascript-sdk.
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

  function told(result) {
    if (!result) return null;
    const details = sdk.getAdditionalUserInfo(result);
    return {
      operation: result.operationType, uid: result.user.uid, email: result.user.email,
      isAnonymous: result.user.isAnonymous, isNewUser: details?.isNewUser ?? false,
      providers: result.user.providerData.map((data) => data.providerId),
      credential: sdk.OAuthProvider.credentialFromResult(result)?.toJSON() ?? null,
    };
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
      return told(await operations[`${kind}Popup`](provider(id, parameters)));
    },
    redirect: (kind, id, parameters) => operations[`${kind}Redirect`](provider(id, parameters)),
    result: async () => told(await sdk.getRedirectResult(auth)),
    anonymous: async () => (await sdk.signInAnonymously(auth)).user.uid,
    user: async () => {
      await auth.authStateReady();
      await auth.currentUser?.reload();
      await auth.currentUser?.getIdToken(true);
      return auth.currentUser && {
        uid: auth.currentUser.uid, email: auth.currentUser.email,
        providers: auth.currentUser.providerData.map((data) => data.providerId),
      };
    },
    signOut: () => sdk.signOut(auth),
  };
}
