import { isDeepStrictEqual } from 'node:util'
import type { ShareMode } from '../../../shared/contract/shares.ts'
import { relativePath, isWithin, root, type Path } from '../../../shared/domain/path.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import { compileRules } from '../../access/rules.ts'
import { isPasswordHash } from '../../auth/passwords.ts'
import type { AccountImportRequest } from '../../records/port.ts'
import type { UserFields } from '../../records/user-store.ts'
import type { ServedFolder } from '../plan/served-folder.ts'
import type { FolderMapper } from './folder-mapper.ts'
import { lostRestrictionsOf, rulesInPlace } from './plan-quantum-rules.ts'
import type { QuantumSource } from './quantum-sources.ts'
import type { QuantumAccess, QuantumShare } from './read-quantum.ts'

export type PlannedShare = AccountImportRequest['shares'][number]

/** The account in Stowage that owns a share, and the name of the owner in FileBrowser Quantum. */
export type ShareOwner = {
  readonly account: UserFields
  readonly formerName: string
  /** True for an account that was here before, whose rules are not those of FileBrowser Quantum. */
  readonly isHere: boolean
}

export type QuantumSharesOptions = {
  readonly sources: ReadonlyMap<string, QuantumSource>
  readonly access: QuantumAccess
  readonly mapFolder: FolderMapper
  readonly folder: Pick<ServedFolder, 'find'>
  readonly takenHashes: ReadonlySet<string>
  readonly atMs: number
}

/** The share to store with notes for the administrator, or the reason why the share is left out. */
export type QuantumSharePlan =
  | { readonly share: PlannedShare; readonly notes: readonly string[] }
  | { readonly reason: string }

const refused = (reason: string): { readonly reason: string } => ({ reason })

/** Plans a share. The link never opens more entries, and never for more people, than before. */
export async function planQuantumShare(
  share: QuantumShare,
  owner: ShareOwner | undefined,
  options: QuantumSharesOptions,
): Promise<QuantumSharePlan> {
  const { hash, record } = share
  if (options.takenHashes.has(hash)) return refused('a share with this address exists already')
  if (!/^[\w-]{1,64}$/.test(hash)) return refused('its address cannot be an address here')
  if (owner === undefined) return refused('its owner is not here')
  const terms = termsOf(share, options.atMs)
  if ('reason' in terms) return terms
  const { account } = owner
  if (!account.perm.share || !account.perm.download) return refused('its owner may not share here')
  const entry = await sharedEntryOf(share, owner, options)
  if ('reason' in entry) return entry
  if (terms.mode === 'upload-only' && entry.kind !== 'folder')
    return refused('files are added to it, and it is not a folder')
  if (terms.mode === 'upload-only' && !account.perm.create) return refused('its owner may not add files here')
  return {
    share: {
      hash,
      owner: account.username,
      ...entry,
      ...terms,
      tokenDigest: null,
      availableFromSeconds: null,
      maxFiles: null,
      maxBytes: null,
      senderName: '',
      alias: '',
      maxDownloads: null,
      tellsOfFiles: false,
      disk: null,
      createdAtMs: options.atMs,
    },
    notes: [
      ...(['allowCreate', 'allowModify', 'allowDelete', 'allowReplacements', 'allowUpload'].some((name) =>
        record.toggle(name),
      )
        ? ['Guests can only read. They could change files before.']
        : []),
      ...(record.number('maxBandwidth', 0) > 0 ? ['The bandwidth is not limited.'] : []),
    ],
  }
}

type QuantumShareTerms = {
  readonly mode: ShareMode
  readonly passwordHash: string | null
  readonly expiresAtSeconds: number | null
}

const modes: Readonly<Record<string, ShareMode>> = {
  '': 'download',
  normal: 'download',
  upload: 'upload-only',
}

/** Returns the mode, password and expiry of a share, or the reason why they cannot be kept. */
function termsOf({ record }: QuantumShare, atMs: number): QuantumShareTerms | { readonly reason: string } {
  const passwordHash = record.text('password_hash')
  const expiresAtSeconds = record.number('expire', 0)
  const mode = modes[record.text('shareType')]
  if (expiresAtSeconds !== 0 && expiresAtSeconds * 1000 <= atMs) return refused('it has expired')
  if (mode === undefined) return refused(`its type, ${record.text('shareType')}, has no meaning here`)
  if (passwordHash !== '' && !isPasswordHash(passwordHash))
    return refused('its password is not a hash of a known kind')
  // A token is stored only for a share with a password, so the password was lost to damage.
  if (passwordHash === '' && record.text('token') !== '') return refused('its password is damaged')
  if (record.toggle('disableAnonymous') || record.texts('allowedUsernames').length > 0)
    return refused('only users who were logged in could open it, and a link here is open to everybody')
  if (record.number('downloadsLimit', 0) > 0) return refused('a link here has no limit of downloads')
  return {
    mode: mode === 'download' && record.toggle('disableDownload') ? 'view-only' : mode,
    passwordHash: passwordHash === '' ? null : passwordHash,
    expiresAtSeconds: expiresAtSeconds === 0 ? null : expiresAtSeconds,
  }
}

const absent = {
  absent: 'there is no such entry that can be read',
  outside: 'it lies behind a link that leaves the folder of its owner',
  special: 'it is neither a file nor a folder',
}

/** Returns the entry of a share, or the reason why the share is left out. */
async function sharedEntryOf(
  { source: sourcePath, path }: QuantumShare,
  { account, formerName, isHere }: ShareOwner,
  options: QuantumSharesOptions,
): Promise<{ readonly path: Path; readonly kind: 'file' | 'folder' } | { readonly reason: string }> {
  const source = options.sources.get(sourcePath)
  if (source === undefined || source.isDisabled)
    return refused(`its source, ${sourcePath}, is not configured`)
  if (source.isPrivate) return refused(`its source, ${source.name}, is private`)
  const [doubt] = lostRestrictionsOf(source, options.access, (other) => options.sources.has(other))
  if (doubt !== undefined) return refused(doubt)
  const [inSource, mapped, scope] = [
    confinedScope(path),
    options.mapFolder(sourcePath, path),
    confinedScope(account.scope),
  ]
  if (inSource === null || mapped === null || !mapped.isWhole || scope === null)
    return refused('it is not below the served folder')
  if (!isWithin(mapped.path, scope)) return refused('it is outside of the folder of its owner')
  const entry = options.folder.find(scope, relativePath(mapped.path, scope))
  if (!('path' in entry)) return refused(absent[entry.kind])
  const place = { source, path: inSource, at: mapped.path }
  const rulesOf = (name: string) => rulesInPlace(name, place, { ...options, base: mapped.path })
  // Guests reach what the rules of the owner allow, which may be more than FileBrowser Quantum allowed guests.
  if (!isDeepStrictEqual(rulesOf(formerName), rulesOf(guestName)))
    return refused('access rules treated its owner and guests in different ways')
  if (isHere && rulesOf(formerName).length > 0)
    return refused('access rules applied to it, and its owner is an account that was here before')
  const permits = await compileRules(account.rules)
  if (!permits(relativePath(mapped.path, scope)) || deniesRoot(rulesOf(guestName)))
    return refused('access rules deny it')
  return entry
}

const deniesRoot = (rules: ReturnType<typeof rulesInPlace>): boolean =>
  rules.some(({ allow, regex, path }) => !allow && !regex && path === root)

/** The user name that stands for guests in the access rules of FileBrowser Quantum. */
const guestName = 'anonymous'
