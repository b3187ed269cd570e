// The second factor of a sign-in, and the one that a project requires of a new user.

import { call } from "./calls.js";
import { text } from "./data.js";
import { byID } from "./elements.js";

const STEP = "sign-in";

/** The answer to a first factor, with the tokens that the second one brings. */
export async function withSecondFactor(answer) {
  if (!answer.mfaPendingCredential) return answer;
  const brought = answer.mfaEnrollmentRequired ? await enroll(answer) : await show(answer);
  return { ...answer, ...brought };
}

async function show({ mfaPendingCredential, mfaInfo }) {
  const [factor] = mfaInfo;
  if (!factor) throw Object.assign(new Error(text("factor.none")), { code: "SECOND_FACTOR" });
  let sessionInfo;
  if (factor.phoneInfo) {
    const started = await call(STEP, "/v2/accounts/mfaSignIn:start", {
      mfaPendingCredential, mfaEnrollmentId: factor.mfaEnrollmentId, phoneSignInInfo: {},
    });
    ({ sessionInfo } = started.phoneResponseInfo);
  }
  const code = await ask(
    factor.phoneInfo ? text("factor.phone", { number: factor.phoneInfo }) : text("factor.app"));
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
  const verificationCode = await ask(text("factor.enroll"), sharedSecretKey);
  return call(STEP, "/v2/accounts/mfaEnrollment:finalize", {
    mfaPendingCredential, totpVerificationInfo: { sessionInfo, verificationCode },
  });
}

/** What the user types. A cancellation is an error, so that nothing goes on. */
function ask(why, secret = "") {
  const [dialog, input] = [byID("second-factor"), byID("factor-code")];
  byID("factor-why").textContent = why;
  byID("factor-secret").textContent = secret;
  input.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve, reject) => {
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "enter") resolve(input.value.trim());
      else reject(Object.assign(new Error(text("factor.cancelled")), { code: "CANCELLED" }));
    }, { once: true });
  });
}

byID("factor-cancel").addEventListener("click", () => byID("second-factor").close(""));
