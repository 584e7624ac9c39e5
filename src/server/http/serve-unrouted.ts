import { AppError } from '../../shared/domain/failure.ts'
import { acceptedEncoding } from './response/compression.ts'
import { FailureWithHeaders } from './response/failures.ts'
import { sendWhole, type WholeResponse } from './response/send-whole.ts'
import { pageResponse } from './response/headers.ts'
import { sendPlan } from './response/send-bytes.ts'
import type { StaticFilePlanner } from './response/static-files.ts'
import type { Exchange } from './exchange.ts'
import type { FailureResponder } from './failure-responder.ts'
import type { Page } from './http-options.ts'
import type { Handler } from './serve-route.ts'

export type UnroutedDependencies = {
  readonly page: () => Page | Promise<Page>
  readonly staticFiles: StaticFilePlanner
  readonly fail: FailureResponder
}

/**
 * Creates the handler of requests that match no endpoint. They are answered with the page, a file of the build, or a
 * failure.
 */
export function serveUnrouted({ page, staticFiles, fail }: UnroutedDependencies): Handler {
  async function respond(exchange: Exchange): Promise<void> {
    const { match } = exchange
    if (match.kind === 'page') return sendWhole(exchange, pageFor(exchange, await page()))
    if (match.kind === 'static') return sendPlan(exchange, await staticFiles(match.rest, exchange))
    throw refusalOf(exchange)
  }

  return async (exchange) => {
    try {
      await respond(exchange)
    } catch (thrown) {
      fail(exchange, thrown)
    }
  }
}

/**
 * Returns the response with the page. The page is compressed when the client accepts an encoding in which the page is
 * stored.
 */
function pageFor({ header }: Exchange, { html, headers, encodings = {} }: Page): WholeResponse {
  const offered = (['br', 'gzip'] as const).filter((encoding) => encodings[encoding] !== undefined)
  const encoding = acceptedEncoding(header('accept-encoding'), offered)
  return {
    status: 200,
    headers: {
      ...pageResponse,
      'content-type': 'text/html; charset=utf-8',
      ...headers,
      ...(offered.length === 0 ? {} : { vary: 'accept-encoding' }),
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
    body: (encoding === null ? undefined : encodings[encoding]) ?? html,
  }
}

function refusalOf({ match }: Exchange): AppError {
  if (match.kind === 'wrong-method')
    return new FailureWithHeaders('method-not-allowed', { allow: match.allow.join(', ') })
  if (match.kind === 'malformed') return new AppError('bad-request', { reason: 'the address is malformed' })
  return new AppError('not-found')
}
