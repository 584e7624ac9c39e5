import type { FunctionComponent } from 'react'
import { AuditPage } from '../../features/settings/audit/audit-page.tsx'
import { GlobalPage } from '../../features/settings/global/global-page.tsx'
import { ProfilePage } from '../../features/settings/profile/profile-page.tsx'
import { SharesPage } from '../../features/sharing/shares-page.tsx'
import { TakeoverPage } from '../../features/settings/takeover/takeover-page.tsx'
import { UsersPage } from '../../features/settings/users/users-page.tsx'
import type { SettingsPageName } from '../../state/screens/settings-pages.ts'

/** The properties that a page of the settings receives. */
export type SettingsPageProps = {
  /** The part of the address after the name of the tab, such as `new` in `/settings/users/new`. Empty for the tab itself. */
  readonly rest: string
}

/** A tab of the settings. Its text is `settings.tab.<name>`, and its address `/settings/<name>`. */
export type SettingsTab = {
  readonly name: SettingsPageName
  /** True when the navigation offers the tab only where there is a report of a takeover, or a request to report. */
  readonly isOnlyWithReport?: true
  /** The addresses below the tab that its page shows. Without a pattern, the page shows only the address of the tab. */
  readonly rest?: RegExp
  readonly Page: FunctionComponent<SettingsPageProps>
}

/** The tabs of the settings in the order of the navigation (specification 2). */
export const settingsTabs: readonly SettingsTab[] = [
  { name: 'profile', Page: ProfilePage },
  { name: 'shares', Page: SharesPage },
  { name: 'global', Page: GlobalPage },
  {
    name: 'users',
    rest: /^(new|[1-9][0-9]{0,14})?$/,
    Page: UsersPage,
  },
  { name: 'audit', Page: AuditPage },
  {
    name: 'takeover',
    isOnlyWithReport: true,
    Page: TakeoverPage,
  },
]
