// The second factor of a sign-in, and the one that a project requires of a new user.

import { call } from "./calls.js";
import { text } from "./data.js";
import { byID, show } from "./elements.js";
import { addPasskey, offersPasskeys, showPasskey } from "./passkey.js";

const STEP = "sign-in";

/** The answer to a first factor, with the tokens that the second one brings. */
export async function withSecondFactor(answer) {
  if (!answer.mfaPendingCredential) return answer;
  const brought = answer.mfaEnrollmentRequired ? await enroll(answer) : await present(answer);
  return { ...answer, ...brought };
}

async function present({ mfaPendingCredential, mfaInfo, passkeyAvailable }) {
  const [factor] = mfaInfo;
  const takesPasskey = offersPasskeys && passkeyAvailable;
  if (!factor && !takesPasskey) throw Object.assign(new Error(text("factor.none")), { code: "SECOND_FACTOR" });
  let sessionInfo;
  if (factor?.phoneInfo) {
    const started = await call(STEP, "/v2/accounts/mfaSignIn:start", {
      mfaPendingCredential, mfaEnrollmentId: factor.mfaEnrollmentId, phoneSignInInfo: {},
    });
    ({ sessionInfo } = started.phoneResponseInfo);
  }
  const why = !factor ? text("factor.none")
    : factor.phoneInfo ? text("factor.phone", { number: factor.phoneInfo }) : text("factor.app");
  const code = await ask(why, { takesCode: Boolean(factor), takesPasskey });
  if (code === PASSKEY) return showPasskey(STEP, mfaPendingCredential);
  return call(STEP, "/v2/accounts/mfaSignIn:finalize", {
    mfaPendingCredential, mfaEnrollmentId: factor.mfaEnrollmentId,
    ...(code.length > 6 ? { recoveryCodeVerificationInfo: { code } }
      : sessionInfo ? { phoneVerificationInfo: { sessionInfo, code } }
      : { totpVerificationInfo: { verificationCode: code } }),
  });
}

async function enroll({ mfaPendingCredential }) {
  const { totpSessionInfo } = await call(STEP, "/v2/accounts/mfaEnrollment:start", {
    mfaPendingCredential, totpEnrollmentInfo: {},
  });
  const { sessionInfo, sharedSecretKey } = totpSessionInfo;
  const verificationCode = await ask(
    text("factor.enroll"), { secret: sharedSecretKey, takesPasskey: offersPasskeys });
  if (verificationCode === PASSKEY) return addPasskey(STEP, { mfaPendingCredential });
  return call(STEP, "/v2/accounts/mfaEnrollment:finalize", {
    mfaPendingCredential, totpVerificationInfo: { sessionInfo, verificationCode },
  });
}

const PASSKEY = Symbol("passkey");

/** What the user types, or `PASSKEY`. A cancellation is an error, so that nothing goes on. */
function ask(why, { secret = "", takesCode = true, takesPasskey = false }) {
  const [dialog, input] = [byID("second-factor"), byID("factor-code")];
  byID("factor-why").textContent = why;
  byID("factor-secret").textContent = secret;
  input.value = "";
  show("factor-fields", takesCode);
  show("factor-enter", takesCode);
  show("factor-passkey", takesPasskey);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve, reject) => {
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "enter") resolve(input.value.trim());
      else if (dialog.returnValue === "passkey") resolve(PASSKEY);
      else reject(Object.assign(new Error(text("factor.cancelled")), { code: "CANCELLED" }));
    }, { once: true });
  });
}

byID("factor-cancel").addEventListener("click", () => byID("second-factor").close(""));
byID("factor-passkey").addEventListener("click", () => byID("second-factor").close("passkey"));
