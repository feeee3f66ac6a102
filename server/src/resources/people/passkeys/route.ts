import type { SignInEndpoint } from '../../../http/sign-in.ts'
import { showRefusal } from '../sign-in/pages.ts'
import { NEW_PASSKEY_PATH, SIGN_IN_PATH, STYLE_PATH } from '../sign-in/paths.ts'
import { finishAuthentication, startAuthentication } from './authenticate.ts'
import { createScriptHandler, createStyleHandler, SCRIPT_PATH, showNewPasskey, showSignIn } from './pages.ts'
import { finishRegistration, listOwnPasskeys, removeOwnPasskey, startRegistration } from './register.ts'

const caller = 'browser'
const attempt = 'passkey'

/** The pages of the sign-in, and passkeys. The script and the style sheet are read when the server starts. */
export function createPasskeyEndpoints(): readonly SignInEndpoint[] {
  return [
    { method: 'GET', path: SIGN_IN_PATH, caller, showRefusal, run: showSignIn },
    { method: 'GET', path: SCRIPT_PATH, caller, run: createScriptHandler() },
    { method: 'GET', path: STYLE_PATH, caller, run: createStyleHandler() },
    { method: 'GET', path: NEW_PASSKEY_PATH, caller, showRefusal, run: showNewPasskey },
    { method: 'GET', path: '/auth/passkeys', caller, run: listOwnPasskeys },
    { method: 'DELETE', path: '/auth/passkeys/{id}', caller, run: removeOwnPasskey },
    { method: 'POST', path: '/auth/passkeys/registration/options', caller, attempt, run: startRegistration },
    { method: 'POST', path: '/auth/passkeys/registration', caller, attempt, run: finishRegistration },
    {
      method: 'POST',
      path: '/auth/passkeys/authentication/options',
      caller,
      attempt,
      run: startAuthentication,
    },
    { method: 'POST', path: '/auth/passkeys/authentication', caller, attempt, run: finishAuthentication },
  ]
}
