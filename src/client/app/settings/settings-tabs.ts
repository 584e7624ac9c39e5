import type { FunctionComponent } from 'react'
import type { TokenUser } from '../../../shared/contract/users.ts'
import { lazyScreen } from '../../api/lazy-screen.ts'

/** The properties that a page of the settings receives. */
export type SettingsPageProps = {
  /** The part of the address after the name of the tab, such as `new` in `/settings/users/new`. Empty for the tab itself. */
  readonly rest: string
}

export type SettingsTabName = 'profile' | 'shares' | 'global' | 'users' | 'audit' | 'takeover'

/** A tab of the settings. Its text is `settings.tab.<name>`, and its address `/settings/<name>`. */
export type SettingsTab = {
  readonly name: SettingsTabName
  /** Returns true when the navigation offers the tab to a user. The server decides what the user may do there. */
  readonly isFor: (user: TokenUser) => boolean
  /** True when the navigation offers the tab only where there is a report of a takeover, or a request to report. */
  readonly isOnlyWithReport?: true
  /** The addresses below the tab that its page shows. Without a pattern, the page shows only the address of the tab. */
  readonly rest?: RegExp
  /** The page, whose code is loaded when the tab is opened. */
  readonly Page: FunctionComponent<SettingsPageProps>
}

/** The tabs of the settings in the order of the navigation (specification 2). */
export const settingsTabs: readonly SettingsTab[] = [
  {
    name: 'profile',
    isFor: () => true,
    Page: lazyScreen(() =>
      import('../../features/settings/profile/profile-page.tsx').then((it) => it.ProfilePage),
    ).Screen,
  },
  {
    name: 'shares',
    isFor: ({ perm }) => perm.share && perm.download,
    Page: lazyScreen(() => import('../../features/sharing/shares-page.tsx').then((it) => it.SharesPage))
      .Screen,
  },
  {
    name: 'global',
    isFor: ({ perm }) => perm.admin,
    Page: lazyScreen(() =>
      import('../../features/settings/global/global-page.tsx').then((it) => it.GlobalPage),
    ).Screen,
  },
  {
    name: 'users',
    isFor: ({ perm }) => perm.admin,
    rest: /^(new|[1-9][0-9]{0,14})?$/,
    Page: lazyScreen(() => import('../../features/settings/users/users-page.tsx').then((it) => it.UsersPage))
      .Screen,
  },
  {
    name: 'audit',
    isFor: ({ perm }) => perm.admin,
    Page: lazyScreen(() => import('../../features/settings/audit/audit-page.tsx').then((it) => it.AuditPage))
      .Screen,
  },
  {
    name: 'takeover',
    isFor: ({ perm }) => perm.admin,
    isOnlyWithReport: true,
    Page: lazyScreen(() =>
      import('../../features/settings/takeover/takeover-page.tsx').then((it) => it.TakeoverPage),
    ).Screen,
  },
]
