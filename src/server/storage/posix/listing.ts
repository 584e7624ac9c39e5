import { AppError } from '../../../shared/domain/failure.ts'
import type { EntryPage, Listing } from '../port.ts'
import { unpackNames } from './calls/packed-names.ts'
import type { SentPage } from './listing/rows.ts'
import type { SentHead } from './tasks/list.ts'

/** Starts a listing and gives it when its head has come; pages follow as they are taken. */
export async function startListing(sent: AsyncGenerator<SentHead | SentPage, unknown>): Promise<Listing> {
  const first = await sent.next()
  const head = first.value as SentHead | SentPage
  if (!('folder' in head)) throw new AppError('internal')
  const { folder, total, folders, page } = head
  if (first.done === true) return { folder, total, folders, pages: onlyPage(page) }
  const pages = pagesOf(page, sent as AsyncGenerator<SentPage>)
  unread.register(pages, sent)
  return { folder, total, folders, pages }
}

/** A small folder comes as a whole. */
async function* onlyPage(page: SentPage): AsyncGenerator<EntryPage, void> {
  yield pageOf(page)
}

/** A listing whose pages nobody asks for would hold its thread until then: it ends with its last reference. */
const unread = new FinalizationRegistry((sent: AsyncGenerator) => void sent.return(undefined))

async function* pagesOf(first: SentPage, rest: AsyncGenerator<SentPage>): AsyncGenerator<EntryPage, void> {
  try {
    yield pageOf(first)
    for await (const page of rest) yield pageOf(page)
  } finally {
    await rest.return(undefined)
  }
}

const pageOf = (sent: SentPage): EntryPage => ({ ...sent, names: unpackNames(sent.names) })
