import { AppError } from '../../shared/domain/failure.ts'
import { acceptedEncoding } from './answer/compression.ts'
import { Refusal } from './answer/failures.ts'
import { sendWhole, type Whole } from './answer/leave.ts'
import { pageAnswer } from './answer/headers.ts'
import { sendPlan } from './answer/send-bytes.ts'
import type { StaticFiles } from './answer/static-files.ts'
import type { Exchange } from './exchange.ts'
import type { Fail } from './fail.ts'
import type { Page } from './http-options.ts'
import type { Handler } from './serve-route.ts'

export type OutsideNeeds = {
  readonly page: () => Page | Promise<Page>
  readonly staticFiles: StaticFiles
  readonly fail: Fail
}

/** Answers what no endpoint has: with the page, the files of the build, or a refusal. */
export function serveOutside({ page, staticFiles, fail }: OutsideNeeds): Handler {
  async function answer(exchange: Exchange): Promise<void> {
    const { match } = exchange
    if (match.kind === 'page') return sendWhole(exchange, pageFor(exchange, await page()))
    if (match.kind === 'static') return sendPlan(exchange, await staticFiles(match.rest, exchange))
    throw refusalOf(exchange)
  }

  return async (exchange) => {
    try {
      await answer(exchange)
    } catch (thrown) {
      fail(exchange, thrown)
    }
  }
}

/** The same bytes for everybody, compressed for who takes them so. */
function pageFor({ header }: Exchange, { html, headers, encodings = {} }: Page): Whole {
  const offered = (['br', 'gzip'] as const).filter((encoding) => encodings[encoding] !== undefined)
  const encoding = acceptedEncoding(header('accept-encoding'), offered)
  return {
    status: 200,
    headers: {
      ...pageAnswer,
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
    return new Refusal('method-not-allowed', { allow: match.allow.join(', ') })
  if (match.kind === 'malformed') return new AppError('bad-request', { reason: 'the address is malformed' })
  return new AppError('not-found')
}
