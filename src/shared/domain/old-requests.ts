/**
 * The ways in which the response to a request differs from that of File Browser (decision 82):
 *
 * - `token-in-url`: the token in the URL was accepted; later versions of File Browser refuse it.
 * - `token-in-url-refused`: the token in the URL is valid, but the endpoint does not accept it in the URL.
 * - `cookie-for-change`: the token is only in a cookie, which authorises no changes.
 * - `other-site`: a page of another server sent the request.
 * - `commands-off`: the request runs a command, and commands are off.
 * - `login-method`: a request to log in, sign up or renew a token has another method than POST.
 * - `removed-route`: only File Browser 1 had the route.
 */
export const oldRequestReasons = [
  'token-in-url',
  'token-in-url-refused',
  'cookie-for-change',
  'other-site',
  'commands-off',
  'login-method',
  'removed-route',
] as const

export type OldRequestReason = (typeof oldRequestReasons)[number]

/** Returns true for requests that anybody can send, without a valid token. */
export const isAnonymousReason = (reason: OldRequestReason): boolean =>
  reason === 'login-method' || reason === 'removed-route'
