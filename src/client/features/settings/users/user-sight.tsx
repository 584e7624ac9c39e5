import { Info, TriangleAlert } from 'lucide'
import type { RuleCheck, UserResource } from '../../../../shared/contract/users.ts'
import type { AccessRule } from '../../../../shared/domain/access.ts'
import { config } from '../../../api/config.ts'
import { useQuery } from '../../../api/use-query.ts'
import { listText } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { Banner } from '../../../ui/banner.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { useRuleCheck } from '../rules/use-rule-check.ts'
import { usersQuery } from '../users-query.ts'
import { isScopeWithin, isWholeServer } from '../whole-server.ts'
import type { UserDraft } from './user-draft.ts'
import styles from './users-page.module.css'

/** The number of entries that the server names at most. */
const mostEntries = 100

/** The number of other users of a folder whose names are shown. */
const mostNames = 3

type UserSightProps = {
  /** Null for a new user. */
  readonly id: number | null
  readonly draft: UserDraft
  readonly globalRules: readonly AccessRule[]
  /** True when the folder of the user is created with the user, if it does not exist. */
  readonly isMade: boolean
}

/** A sentence about what a user sees. */
type Sight = { readonly text: string; readonly isWarning: boolean }

/**
 * Says what the edited user will see, from the entries that are really in the folder and from the rules. Warns when it is the whole
 * server or nothing, and when the user may run commands.
 */
export function UserSight({ id, draft, globalRules, isMade }: UserSightProps) {
  const { scope, rules } = draft
  const { data: users = [] } = useQuery(usersQuery)
  const isUnknown = scope.trim() === '' && id === null
  const answer = useRuleCheck(isUnknown ? null : { rules: [...globalRules, ...rules], path: '/', scope })
  const name = visibleName(draft.username) || t('settings.users.sees.nobody')
  const others = users.filter(
    (user) => user.id !== id && !user.isDisabled && isScopeWithin(user.scope, scope),
  )
  const sights: readonly (Sight | false)[] = [
    answer !== null && answer.input.scope === scope && sightOf(answer.check, { name, draft, others, isMade }),
    config().EnableExec &&
      draft.perm.execute && { text: t('settings.users.sees.execute', { name }), isWarning: true },
  ]
  return (
    <div aria-live="polite" className={styles.sight}>
      {sights.map(
        (sight) =>
          sight && (
            <Banner
              key={sight.text}
              kind={sight.isWarning ? 'warning' : 'note'}
              icon={sight.isWarning ? TriangleAlert : Info}
            >
              {sight.text}
            </Banner>
          ),
      )}
    </div>
  )
}

type SightFacts = Pick<UserSightProps, 'draft' | 'isMade'> & {
  readonly name: string
  /** The other users whose folder is this folder, or inside of it. */
  readonly others: readonly UserResource[]
}

function sightOf(check: RuleCheck, { name, draft, others, isMade }: SightFacts): Sight {
  const folder = visibleName(draft.scope)
  if (!check.isFolder)
    return isMade && !check.isFound
      ? { text: t('settings.users.sees.new', { name, folder }), isWarning: false }
      : { text: t('settings.users.sees.missing', { name, folder }), isWarning: true }
  if (!check.isAllowed) return { text: t('settings.users.sees.denied', { name }), isWarning: true }
  const things = thingsIn(check, draft.hideDotfiles)
  if (isWholeServer(draft.scope))
    return { text: t('settings.users.sees.whole', { name, things }), isWarning: !draft.perm.admin }
  if (others.length === 0)
    return { text: t('settings.users.sees.own', { name, things, folder }), isWarning: false }
  const names = listText([
    ...others.slice(0, mostNames).map(({ username }) => visibleName(username)),
    others.length > mostNames && '…',
  ])
  return { text: t('settings.users.sees.shared', { name, things, folder, names }), isWarning: false }
}

/** Returns the numbers of the folders and files that a user sees in the own folder. */
function thingsIn({ entries }: RuleCheck, hidesDotfiles: boolean): string {
  const seen = entries.filter((entry) => entry.isAllowed && !(hidesDotfiles && entry.name.startsWith('.')))
  const folders = seen.filter(({ isFolder }) => isFolder).length
  const things = t('listing.foldersAndFiles', { folders, files: seen.length - folders })
  return entries.length < mostEntries ? things : t('settings.users.sees.atLeast', { things })
}
