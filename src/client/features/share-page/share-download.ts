import type { PublicResource } from '../../../shared/contract/shares.ts'
import type { FileType } from '../../../shared/domain/file-types.ts'
import { archiveRequestLimits, archiveUrlChars } from '../../../shared/domain/limits/archive-limits.ts'
import { encodeName } from '../../../shared/domain/path.ts'
import { call } from '../../api/call.ts'
import { offers } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import type { DownloadFormat } from '../../api/download-formats.ts'
import { t } from '../../i18n/translate.ts'
import { createStore, useStore } from '../../state/store.ts'
import type { SharePath } from './share-address.ts'

/** The bytes of an entry of a share, or an archive of a folder or of some of its entries. */
export type ShareDownload = {
  readonly path: SharePath
  readonly query: {
    readonly token?: string | undefined
    readonly files?: string | undefined
    readonly algo?: DownloadFormat | undefined
  }
}

/** Returns the URL of a download. */
export const shareDownloadHref = (download: ShareDownload): string => href('public.download', download)

/** Returns the URL under which the browser shows a file. */
export const shareInlineHref = (path: SharePath, token: string | undefined): string =>
  href('public.download', { path, query: { inline: 'true', token } })

/** Returns the URL to which the start of a part of a media file is appended, in seconds. Null where the server makes no parts. */
export const shareRemuxHref = (path: SharePath, token: string | undefined): string | null =>
  offers('remux') ? href('public.download', { path, query: { inline: 'true', token, remux: '' } }) : null

/**
 * Returns the download of some entries of a folder as one archive, or null for more names than one request can contain.
 * The names are percent-encoded twice, so that a comma in a name does not end the name (contract 5.2).
 */
export function archiveOfEntries(folder: ShareDownload, names: readonly string[]): ShareDownload | null {
  if (names.length > archiveRequestLimits.archiveNames) return null
  const download = { ...folder, query: { ...folder.query, files: names.map(encodeName).join(',') } }
  return shareDownloadHref(download).length > archiveUrlChars ? null : download
}

/** The failure of the last download, with the path of the page that has to show it. Null after a further download has started. */
export const failedDownload = createStore<{ readonly path: SharePath; readonly thrown: unknown } | null>(null)

/** The downloads that a link still allows, and those that this page has started. */
type KnownDownloads = {
  /** The number of downloads that the link still allows. Null for no limit. */
  readonly left: number | null
  /** The number of downloads that this page has started. */
  readonly started: number
}

export const knownDownloads = createStore<KnownDownloads>({ left: null, started: 0 })

/** Returns why no download can be started, or undefined while the link allows some. */
export const useDownloadBlock = (): string | undefined =>
  useStore(knownDownloads).left === 0 ? t('guest.noDownloads') : undefined

/**
 * Starts the browser's download. Browsers do not tell why a download failed, so the server is asked for the headers of
 * the response first. Does nothing for a link that allows no more downloads.
 * @throws CallError when the server refuses the download.
 */
export async function startShareDownload(download: ShareDownload): Promise<void> {
  if (knownDownloads.get().left === 0) return
  failedDownload.set(null)
  await call('public.download', { ...download, isHead: true })
  const link = document.createElement('a')
  link.href = shareDownloadHref(download)
  // An empty value keeps the name that the server sends.
  link.download = ''
  link.click()
  knownDownloads.set(({ left, started }) => ({
    left: left === null ? null : Math.max(0, left - 1),
    started: started + 1,
  }))
}

/** Returns the type of an entry in a response, which the contract declares as text. */
export const fileTypeOf = ({ type }: Pick<PublicResource, 'type'>): FileType => type as FileType
