import { useSuspenseQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { CopyPlus, Trash2 } from 'lucide'
import { queryClient } from '../../../api/query-client.ts'
import { useSuspenseQuery } from '../../../api/use-query.ts'
import { userForms } from '../../../../shared/contract/fields/user-fields.ts'
import { t } from '../../../i18n/translate.ts'
import { navigate } from '../../../router/router.ts'
import { isSame } from '../../../state/drafts/merge-changes.ts'
import { notify } from '../../../state/notices.ts'
import { userOf } from '../../../state/session.ts'
import { Button } from '../../../ui/button.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { settingsQuery, type ServerSettings } from '../global/settings-query.ts'
import { LeavePrompt } from '../leave-prompt.tsx'
import { Fields } from '../form/fields.tsx'
import { passwordLengthText } from '../password-length-text.ts'
import { dangersOfOwnRules } from '../rules/dangers-of-rules.ts'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import { useDangerPrompt } from '../use-danger-prompt.tsx'
import { AccessCard } from './access-card.tsx'
import { homeBaseOf, homeBaseOfNewUser } from './copied-home.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import {
  draftOfCopy,
  draftOfNewUser,
  draftOfUser,
  isHomeOf,
  userTable,
  type UserDraft,
} from './user-draft.ts'
import { userQuery } from '../users-query.ts'
import { UserSessionsCard } from './user-sessions-card.tsx'
import { UserSight } from './user-sight.tsx'
import { useUserForm } from './use-user-form.ts'
import styles from './users-page.module.css'

type UserFormProps = {
  /** The user to edit. Null for a new user. */
  readonly id: number | null
  /** The user whose fields a new user gets. Null for the default settings. */
  readonly copiedId: number | null
}

/** Renders the form of a user. With the id null, the form creates a user. */
export function UserForm({ id, copiedId }: UserFormProps) {
  if (id !== null) return <StoredUserForm id={id} />
  return copiedId === null ? <NewUserForm /> : <CopyForm key={copiedId} id={copiedId} />
}

function NewUserForm() {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const homeBase = homeBaseOfNewUser(settings)
  return (
    <FormCards
      id={null}
      initial={draftOfNewUser(settings, homeBase)}
      homeBase={homeBase}
      settings={settings}
    />
  )
}

/** Renders the form of a new user with the fields of another user. */
function CopyForm({ id }: { readonly id: number }) {
  const [{ data: user }, { data: settings }] = useUserAndSettings(id)
  const homeBase = homeBaseOf(user, settings)
  return (
    <FormCards
      id={null}
      initial={draftOfCopy(user, homeBase)}
      copiedName={user.username}
      homeBase={homeBase}
      settings={settings}
    />
  )
}

/** Returns a user and the settings of the server, which are requested at the same time. */
const useUserAndSettings = (id: number) =>
  useSuspenseQueries({ queries: [userQuery(id), settingsQuery] }, queryClient)

function StoredUserForm({ id }: { readonly id: number }) {
  const [{ data: user }, { data: settings }] = useUserAndSettings(id)
  return <FormCards id={id} initial={draftOfUser(user)} settings={settings} />
}

/** The first fields of the form, below which a sentence says what the user sees. */
const fieldsUntilScope = ['username', 'password', 'scope'] as const
const fieldsAfterScope = userForms.user.filter(
  (name): name is Exclude<typeof name, (typeof fieldsUntilScope)[number]> =>
    !(fieldsUntilScope as readonly string[]).includes(name),
)

type FormCardsProps = {
  readonly id: number | null
  readonly initial: UserDraft
  /** The name of the user whose fields the new user gets. */
  readonly copiedName?: string
  /** The folder in which the new user gets a home folder. Null for a scope that is not made for the user. */
  readonly homeBase?: string | null
  readonly settings: Pick<ServerSettings, 'rules' | 'createUserDir'>
}

function FormCards({ id, initial, copiedName, homeBase = null, settings }: FormCardsProps) {
  const globalRules = settings.rules
  const [departure, setDeparture] = useState<NavigationWithNotice | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const form = useUserForm({
    id,
    initial,
    homeBase,
    onCreated: (address) => setDeparture({ address, text: t('settings.users.created') }),
  })
  useDeparture(departure)
  const { draft, base, isDirty } = form
  const { submit, prompt } = useDangerPrompt(form.submit, () =>
    id === userOf()?.id && !isSame(base.rules, draft.rules)
      ? dangersOfOwnRules([...globalRules, ...draft.rules])
      : [],
  )
  const title =
    id === null
      ? t('settings.users.newTitle')
      : t('settings.users.title', { name: visibleName(initial.username) })
  const homeNote =
    homeBase !== null && copiedName !== undefined
      ? t('settings.users.ownHome', { name: visibleName(copiedName) })
      : undefined
  return (
    <div className={styles.page} ref={copiedName === undefined ? null : startAtTop}>
      <SettingsCard
        title={title}
        isPageTitle
        hint={
          copiedName === undefined ? undefined : t('settings.users.copyOf', { name: visibleName(copiedName) })
        }
      >
        <SettingsForm {...form} submit={submit} submitLabel={t('settings.users.save')}>
          <Fields
            table={userTable}
            names={fieldsUntilScope}
            values={draft}
            onChange={form.change}
            faults={form.faults}
            details={{
              password:
                id === null ? { hint: passwordLengthText() } : { example: t('settings.users.keepPassword') },
              scope: { offersFolders: true, hint: homeNote },
            }}
          />
          <UserSight
            id={id}
            draft={draft}
            globalRules={globalRules}
            isMade={id === null && (settings.createUserDir || isHomeOf(draft, homeBase))}
          />
          <Fields
            table={userTable}
            // Administrators cannot disable their own account.
            names={fieldsAfterScope.filter(
              (name) => name !== 'isDisabled' || id === null || id !== userOf()?.id,
            )}
            values={draft}
            onChange={form.change}
            faults={form.faults}
            details={{
              lockPassword: { isDisabled: draft.perm.admin },
              rules: { rulesOf: { globalRules, scope: draft.scope } },
            }}
          />
          <CurrentPasswordField
            value={draft.current}
            onChange={(current) => form.change({ current })}
            error={form.faults['current'] ?? null}
          />
        </SettingsForm>
        {id !== null && (
          <div className={styles.delete}>
            <Button icon={CopyPlus} onClick={() => navigate(`/settings/users/new?copy=${id}`)}>
              {t('settings.users.duplicate')}
            </Button>
            <Button kind="danger" icon={Trash2} onClick={() => setDeleting(true)}>
              {t('settings.users.delete')}
            </Button>
          </div>
        )}
      </SettingsCard>
      {id !== null && (
        <div className={styles.cards}>
          <AccessCard id={id} stored={form.base} />
          <UserSessionsCard id={id} username={form.base.username} />
        </div>
      )}
      {id !== null && isDeleting && (
        <DeleteUserDialog
          id={id}
          username={initial.username}
          isAdministrator={initial.perm.admin}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false)
            setDeparture({ address: '/settings/users', text: t('settings.users.deleted') })
          }}
        />
      )}
      {prompt}
      <LeavePrompt isDirty={isDirty && departure === null} />
    </div>
  )
}

/**
 * Shows the beginning of a form with the focus in its first field. The button that opens the form of a copy is at the end of
 * the page, whose position on the screen would stay.
 */
function startAtTop(page: HTMLElement | null): void {
  page?.scrollIntoView()
  page?.querySelector('input')?.focus({ preventScroll: true })
}

/** The page that the form opens when its work is done, and the notice that is shown there. */
type NavigationWithNotice = { readonly address: string; readonly text: string }

/**
 * Leaves the form after its user has been created or deleted, once the guard against leaving unsaved changes has been
 * removed.
 */
function useDeparture(departure: NavigationWithNotice | null): void {
  useEffect(() => {
    if (departure === null) return
    notify(departure.text)
    navigate(departure.address)
  }, [departure])
}
