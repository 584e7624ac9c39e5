import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Starts a fake captcha service on a free port. The test provides its responses. The service is closed at the end of
 * the test.
 */
export async function captchaServer(
  respond: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ readonly host: string; readonly forms: URLSearchParams[]; readonly paths: string[] }> {
  const forms: URLSearchParams[] = []
  const paths: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      paths.push(`${request.method} ${request.url}`)
      forms.push(new URLSearchParams(text))
      respond(response, request)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, forms, paths }
}
