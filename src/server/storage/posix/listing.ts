import type { Pool } from '../../workers/pool.ts'
import type { RunOptions } from '../../workers/thread.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { EntryPage, Listing } from '../port.ts'
import { unpackNames } from './calls/packed-names.ts'
import type { SentPage } from './listing/rows.ts'
import type { SentHead } from './tasks/list.ts'

/** Starts a listing and gives it when its head has come; pages follow as they are taken. */
export async function startListing(pool: Pool, input: unknown, options: RunOptions): Promise<Listing> {
  const sent = pool.stream<SentHead | SentPage>('list', input, options)
  const first = await sent.next()
  if (first.done === true || !('folder' in first.value)) throw new AppError('internal')
  const { folder, total, folders, page } = first.value
  const pages = pagesOf(page, sent as AsyncGenerator<SentPage, void>)
  unread.register(pages, sent)
  return { folder, total, folders, pages }
}

/** A listing whose pages nobody asks for would hold its thread until then: it ends with its last reference. */
const unread = new FinalizationRegistry((sent: AsyncGenerator<unknown, void>) => void sent.return())

async function* pagesOf(
  first: SentPage,
  rest: AsyncGenerator<SentPage, void>,
): AsyncGenerator<EntryPage, void> {
  try {
    yield pageOf(first)
    for await (const page of rest) yield pageOf(page)
  } finally {
    await rest.return()
  }
}

const pageOf = (sent: SentPage): EntryPage => ({ ...sent, names: unpackNames(sent.names) })
