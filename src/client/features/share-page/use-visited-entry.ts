import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PublicDrop, PublicResource } from '../../../shared/contract/shares.ts'
import type { ResourceItem } from '../../../shared/contract/resources.ts'
import { nameOf, namesOf, parentOf } from '../../../shared/domain/path.ts'
import { call, isAborted, statusOf } from '../../api/call.ts'
import { savedShareToken, saveShareToken } from './saved-token.ts'
import { isShareRoot, type SharePath } from './share-address.ts'
import { knownDownloads } from './share-download.ts'
import { useStore } from '../../state/store.ts'
import type { LinkTerms } from './link-terms.ts'

/** A refused attempt to open a share. Each attempt has another number, so that a repeated message is announced again. */
export type PasswordFailure = { readonly attempt: number; readonly thrown: unknown }

export type VisitedEntry =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly thrown: unknown; readonly retry: () => void }
  | {
      readonly kind: 'locked'
      /** Null before the first attempt. */
      readonly failure: PasswordFailure | null
      /** Never rejects. An aborted attempt changes nothing. */
      readonly unlock: (password: string, signal: AbortSignal) => Promise<void>
    }
  | {
      /** An upload-only link, which shows nothing. */
      readonly kind: 'drop'
      readonly drop: PublicDrop
      readonly token: string | undefined
      readonly terms: LinkTerms
    }
  | {
      readonly kind: 'shown'
      readonly entry: PublicResource
      /** The folder that contains an open file, once it is known. */
      readonly parent: PublicResource | undefined
      readonly token: string | undefined
      readonly terms: LinkTerms
      /** Requests the entry again, for example after a refused download. */
      readonly retry: () => void
    }

/**
 * The time after which the server has counted a download that the page has started, in ms. The page then requests the number of downloads
 * that are left, because the browser does not tell whether the download has begun.
 */
const countedAfterMs = 2000

type KnownEntries = ReadonlyMap<SharePath, PublicResource>

/**
 * Requests the entry at a path of a share. An entry that this page has shown before is shown at once, and is replaced
 * when the response arrives. A page that keeps what it shows while the server is away loses nothing.
 */
export function useVisitedEntry(path: SharePath): VisitedEntry {
  const hash = namesOf(path)[0] ?? ''
  const [known, setKnown] = useState<KnownEntries>(new Map())
  const [drop, setDrop] = useState<PublicDrop | null>(null)
  const [terms, setTerms] = useState<LinkTerms>({ endMs: null, sender: '' })
  const [failure, setFailure] = useState<{ readonly path: SharePath; readonly thrown: unknown } | null>(null)
  const [refused, setRefused] = useState<PasswordFailure | null>(null)
  const [requests, setRequests] = useState(0)
  const token = useRef(savedShareToken(hash))

  const accept = (at: SharePath, { entry, terms: sent, downloadsLeft }: EntryResponse): void => {
    setTerms(sent)
    knownDownloads.set((now) => ({ ...now, left: downloadsLeft }))
    token.current = entry.token
    saveShareToken(hash, entry.token)
    if (entry.shareMode === 'upload-only') setDrop(entry)
    else {
      setDrop(null)
      setKnown((before) => new Map(before).set(at, entry))
    }
    setFailure((before) => (before?.path === at ? null : before))
  }
  const entry = known.get(path) ?? listedFile(known, path)
  const needsParent = entry && !entry.isDir && !isShareRoot(path) && !known.has(parentOf(path))

  useRequest({ path, number: requests }, async ({ signal }) => {
    // The failure of an earlier visit says nothing about this one.
    setFailure((before) => (before?.path === path ? before : null))
    try {
      accept(path, await requestEntry(path, { token: token.current, signal }))
    } catch (thrown) {
      if (!isAborted(thrown)) setFailure({ path, thrown })
    }
  })
  useRequest({ path: parentOf(path), number: needsParent ? 1 : 0 }, async ({ number, signal }) => {
    if (number === 0) return
    const response = await requestEntry(parentOf(path), { token: token.current, signal }).catch(() => null)
    const folder = response?.entry
    if (folder !== undefined && folder.shareMode !== 'upload-only')
      setKnown((before) => new Map(before).set(parentOf(path), folder))
  })

  const unlock = async (password: string, signal: AbortSignal): Promise<void> => {
    try {
      accept(path, await requestEntry(path, { password, signal }))
      setRefused(null)
    } catch (thrown) {
      if (!isAborted(thrown)) setRefused((before) => ({ attempt: (before?.attempt ?? 0) + 1, thrown }))
    }
  }
  const retry = useRetry(() => setRequests((before) => before + 1))
  const thrown = failure?.path === path ? failure.thrown : null
  if (thrown !== null && statusOf(thrown) === 401) return { kind: 'locked', failure: refused, unlock }
  if (thrown !== null && (!(entry || drop) || statusOf(thrown) !== 0))
    return { kind: 'failed', thrown, retry }
  if (drop !== null) return { kind: 'drop', drop, token: drop.token, terms }
  if (entry === undefined) return { kind: 'loading' }
  const parent = known.get(parentOf(path))
  return { kind: 'shown', entry, parent, token: entry.token ?? parent?.token, terms, retry }
}

/**
 * Returns the function that requests the entry again. It also runs when the server has counted a download of a link with a limit.
 */
function useRetry(request: () => void): () => void {
  const { left, started } = useStore(knownDownloads)
  const isLimited = left !== null
  const run = useEffectEvent(request)
  useEffect(() => {
    if (started === 0 || !isLimited) return undefined
    const timer = setTimeout(() => run(), countedAfterMs)
    return () => clearTimeout(timer)
  }, [started, isLimited])
  return request
}

type NumberedRequest = { readonly path: SharePath; readonly number: number }

/** Runs a request when its path or its number changes. The request is aborted when another one replaces it. */
function useRequest(
  { path, number }: NumberedRequest,
  run: (request: NumberedRequest & { readonly signal: AbortSignal }) => Promise<void>,
): void {
  const start = useEffectEvent(run)
  useEffect(() => {
    const controller = new AbortController()
    void start({ path, number, signal: controller.signal })
    return () => controller.abort()
  }, [path, number])
}

type EntryRequestOptions = {
  readonly password?: string
  readonly token?: string | undefined
  readonly signal?: AbortSignal
}

type EntryResponse = {
  readonly entry: PublicResource | PublicDrop
  readonly terms: LinkTerms
  /** The number of downloads that the link still allows. Null for no limit. */
  readonly downloadsLeft: number | null
}

/** Headers hold no arbitrary text, so the password is percent-encoded (contract 9.6). */
async function requestEntry(
  path: SharePath,
  { password, token, signal }: EntryRequestOptions,
): Promise<EntryResponse> {
  const response = await call('public.show', {
    path,
    query: { token },
    ...(password !== undefined && { headers: { 'X-SHARE-PASSWORD': encodeURIComponent(password) } }),
    ...(signal !== undefined && { signal }),
  })
  const expires = response.headers.get('x-share-expires')
  const left = response.headers.get('x-share-downloads-left')
  return {
    entry: await response.json(),
    terms: {
      endMs: expires === null ? null : Number(expires) * 1000,
      sender: decodeURIComponent(response.headers.get('x-share-sender') ?? ''),
    },
    downloadsLeft: left === null ? null : Number(left),
  }
}

/** Returns what the listing of its folder says about a file, so that the file opens without a request. */
function listedFile(known: KnownEntries, path: SharePath): PublicResource | undefined {
  const folder = known.get(parentOf(path))
  const item: ResourceItem | undefined = folder?.items?.find(
    ({ name, isDir }) => !isDir && name === nameOf(path),
  )
  return (
    item && {
      ...item,
      ...(folder?.token !== undefined && { token: folder.token }),
      ...(folder?.shareMode !== undefined && { shareMode: folder.shareMode }),
    }
  )
}
