import { once } from 'node:events'
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { WebSocket } from 'ws'

/** The address of the visitor, and the one that the visitor claims to have. Both are from ranges for documentation. */
export const visitorAddress = '198.51.100.7'
export const claimedAddress = '203.0.113.66'

/** The place at which a visitor reaches the server, directly or through a proxy. */
export type Target = {
  /** Scheme, host and base path, without a slash at the end. */
  readonly url: string
  /** A unix socket to connect to instead of the host. */
  readonly socketPath?: string
  /** Headers of each request, such as the cookie of a login portal. */
  readonly headers?: Readonly<Record<string, string>>
}

export type Answer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export type Question = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

/** Opens a request. The path is sent as it is, without any change of its escapes. */
export function openRequest(
  target: Target,
  path: string,
  { method = 'GET', headers = {} }: Question,
): ClientRequest {
  const { protocol, hostname, port, pathname } = new URL(target.url)
  const send = protocol === 'https:' ? requestHttps : requestHttp
  const options: RequestOptions = {
    ...(target.socketPath === undefined
      ? { hostname, port, localAddress: visitorAddress }
      : { socketPath: target.socketPath }),
    path: `${pathname === '/' ? '' : pathname}${path}`,
    method,
    headers: { host: hostname, 'x-forwarded-for': claimedAddress, ...target.headers, ...headers },
    // The certificates of the trial are signed by nobody.
    rejectUnauthorized: false,
    agent: false,
  }
  const request = send(options)
  // Whoever waits for the response gets the error. Without a listener of its own, a later one would end the trial.
  return request.on('error', () => undefined)
}

/** Waits for the response of a request, and reads it. */
export async function answerOf(request: ClientRequest): Promise<Answer> {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = Buffer.concat((await response.toArray()) as Buffer[])
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

/** Sends a request, and reads the response. */
export async function ask(target: Target, path: string, question: Question = {}): Promise<Answer> {
  const request = openRequest(target, path, question)
  request.end(question.body)
  return answerOf(request)
}

/** Opens the socket of changes as a page does, with the cookie and the origin of the page. */
export async function openEvents(target: Target, cookie: string): Promise<WebSocket> {
  const { origin } = new URL(target.url)
  const socket = new WebSocket(`${target.url.replace(/^http/, 'ws')}/api/events`, {
    headers: {
      ...target.headers,
      cookie: [target.headers?.['cookie'], cookie].filter(Boolean).join('; '),
      origin,
    },
    localAddress: visitorAddress,
    rejectUnauthorized: false,
  })
  await once(socket, 'open')
  return socket
}
