// The script of /auth/sign-in and /auth/passkeys/new: passkeys by the browser's own functions, nothing else.

const status = document.querySelector('[role="alert"]')

/** Sends JSON and returns the response, or throws an error with a message for people. */
async function send(method, path, body) {
  // Not from the root: the service can be below a path of its host.
  const response = await fetch(new URL(path, import.meta.url), {
    method,
    credentials: 'same-origin',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const result = response.status === 204 ? null : await response.json()
  if (!response.ok) throw new Error(result?.error?.message ?? `The server answered with ${response.status}.`)
  return result
}

async function signIn() {
  const options = await send('POST', 'passkeys/authentication/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const { id, response } = (await navigator.credentials.get({ publicKey })).toJSON()
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const body = { id, clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? '' }
  const { location: next } = await send('POST', `passkeys/authentication${location.search}`, body)
  location.assign(next)
}

async function register(form) {
  const options = await send('POST', 'passkeys/registration/options', {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const { id, response } = (await navigator.credentials.create({ publicKey })).toJSON()
  const { clientDataJSON, attestationObject, transports = [] } = response
  const name = form.elements.namedItem('name').value.trim()
  await send('POST', 'passkeys/registration', {
    id,
    clientDataJSON,
    attestationObject,
    transports,
    ...(name && { name }),
  })
  location.reload()
}

async function signOut() {
  await send('POST', 'logout', {})
  location.reload()
}

async function remove(button) {
  await send('DELETE', `passkeys/${button.dataset.remove}`)
  location.reload()
}

/** Runs one action of a button at a time, and says why it failed. */
async function run(button, action) {
  status.textContent = ''
  button.disabled = true
  try {
    await action()
  } catch (error) {
    // Browsers report a closed dialog and a missing passkey with this one error.
    const cancelled = error instanceof DOMException && error.name === 'NotAllowedError'
    const known = error instanceof DOMException && error.name === 'InvalidStateError'
    status.textContent = cancelled
      ? 'No passkey was used. Try again, or sign in another way.'
      : known
        ? 'This device already has a passkey for your account.'
        : error.message
  } finally {
    button.disabled = false
  }
}

const supported = typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
if (!supported) {
  for (const button of document.querySelectorAll('button[data-passkey], [data-passkey] button')) button.disabled = true
  status.textContent = 'This browser does not support passkeys. Use a current version of it, or another one.'
}

for (const button of document.querySelectorAll('button[data-passkey="sign-in"]'))
  button.addEventListener('click', () => void run(button, signIn))

for (const form of document.querySelectorAll('form[data-passkey="register"]'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run(form.querySelector('button'), () => register(form))
  })

for (const button of document.querySelectorAll('button[data-sign-out]'))
  button.addEventListener('click', () => void run(button, signOut))

for (const button of document.querySelectorAll('button[data-remove]'))
  button.addEventListener('click', () => void run(button, () => remove(button)))
