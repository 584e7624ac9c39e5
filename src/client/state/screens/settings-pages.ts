import type { TokenUser } from '../../../shared/contract/users.ts'

type PageRow = {
  /** The name of the page. Its text is `settings.tab.<name>`, and its address `/settings/<name>`. */
  readonly name: string
  /** The users to whom the navigation offers the page. The server decides what they may do there. */
  readonly audience: 'everyone' | 'sharers' | 'administrators'
  /** True when the navigation offers the page only where there is a report of a takeover, or a request to report. */
  readonly isOnlyWithReport?: true
  /** The addresses below the page that it shows. Without a pattern, the page has no addresses below it. */
  readonly rest?: RegExp
}

const pages = [
  { name: 'profile', audience: 'everyone' },
  { name: 'shares', audience: 'sharers' },
  { name: 'global', audience: 'administrators' },
  { name: 'users', audience: 'administrators', rest: /^(new|[1-9][0-9]{0,14})?$/ },
  { name: 'audit', audience: 'administrators' },
  { name: 'takeover', audience: 'administrators', isOnlyWithReport: true },
] as const satisfies readonly PageRow[]

export type SettingsPageName = (typeof pages)[number]['name']
export type SettingsPage = PageRow & { readonly name: SettingsPageName }

/** The pages of the settings in the order of the navigation (specification 2). */
export const settingsPages: readonly SettingsPage[] = pages

/** Returns true when the navigation offers a page to a user. */
export const isOfferedTo = ({ audience }: SettingsPage, { perm }: TokenUser): boolean =>
  audience === 'everyone' || (audience === 'sharers' ? perm.share && perm.download : perm.admin)
