import { createServer, type Server } from 'node:http'

/** The cookie of somebody who has logged in at the portal. */
export const portalCookie = 'authelia_session=ann'

/**
 * Starts a program that answers as Authelia does: whoever has the cookie is ann, and all others are sent to the page for the login.
 * The two paths are those for nginx and for Caddy, which adds the query of the visitor.
 */
export async function startLoginPortal(): Promise<Server> {
  // The URL of the visitor is in a header.
  const portal = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    const isKnown = (request.headers.cookie ?? '').split('; ').includes(portalCookie)
    const refused = { '/api/authz/auth-request': 401, '/api/authz/forward-auth': 302 }[
      (request.url ?? '').split('?', 1).join()
    ]
    if (refused === undefined) response.writeHead(404)
    else if (isKnown) response.writeHead(200, { 'remote-user': 'ann' })
    else response.writeHead(refused, { location: 'https://login.example.com/' })
    response.end()
  })
  await new Promise<void>((resolve) => portal.listen(9091, '127.0.0.1', resolve))
  return portal
}
