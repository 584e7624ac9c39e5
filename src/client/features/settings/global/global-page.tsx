import { useState } from 'react'
import { brandingFields } from '../../../../shared/contract/fields/branding-fields.ts'
import { pickMembers } from '../../../../shared/contract/fields/fields.ts'
import { settingFields } from '../../../../shared/contract/setting-fields.ts'
import { config } from '../../../api/config.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useSuspenseQuery } from '../../../api/use-query.ts'
import { useSave, type Refusal } from '../../../api/use-save.ts'
import { listText } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { useFormDraft, type FormDraft } from '../../../state/drafts/use-form-draft.ts'
import { notify } from '../../../state/notices.ts'
import { classNames } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { explainFailure, refusedFieldOf } from '../failure-text.ts'
import { Fields } from '../form/fields.tsx'
import { reportMissingPrograms } from '../form/hook-queries.ts'
import { searchWords, SettingSearch } from '../form/setting-search.ts'
import { LeavePrompt } from '../leave-prompt.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import { useDangerPrompt } from '../use-danger-prompt.tsx'
import { changedLabels } from './changed-labels.ts'
import { dangersOfSettings } from './dangers-of-settings.ts'
import styles from './global-page.module.css'
import { OptionsCard } from './options-card.tsx'
import {
  defaultsTopic,
  generalTopics,
  hooksTopic,
  isTopicFound,
  type SettingTopic,
} from './setting-topics.ts'
import { saveSettings, settingsQuery, type ServerSettings } from './settings-query.ts'
import { TopicList } from './topic-list.tsx'

/**
 * Renders the settings of the server in three columns, which become one on narrow screens. A search leaves the settings with the
 * words that somebody looks for. All topics change one draft, and each of them saves its own settings.
 */
export function GlobalPage() {
  const { data } = useSuspenseQuery(settingsQuery)
  const settings = useFormDraft(data)
  const [search, setSearch] = useState('')
  const words = searchWords(search)
  const isExecOn = config().EnableExec
  const { defaults, commands } = settingFields
  // A topic with changes that are not saved stays, with the button that saves it.
  const isShown = (topic: SettingTopic): boolean =>
    isTopicFound(words, topic) || settings.isChanged(topic.names)
  const topics = generalTopics.filter(isShown)
  const others = [defaultsTopic, hooksTopic].filter(isShown)
  return (
    <SettingSearch value={words}>
      <div className={styles.whole}>
        <div className={styles.tools}>
          <TextField
            type="search"
            className={styles.search}
            label={t('settings.search')}
            isLabelHidden
            placeholder={t('settings.search')}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
          <TopicList topics={[...topics, ...others]} />
        </div>
        <div className={classNames(styles.page, isExecOn && styles.three)}>
          <SettingsCard
            title={t('settings.tab.global')}
            isPageTitle
            className={topics.length === 0 ? styles.empty : undefined}
          >
            {topics.map((topic) => (
              <section
                key={topic.id}
                id={topic.id}
                tabIndex={-1}
                aria-label={t(topic.title)}
                className={styles.topic}
              >
                {topic.hasHeading !== true && <h2 className={styles.heading}>{t(topic.title)}</h2>}
                <TopicForm settings={settings} topic={topic} />
              </section>
            ))}
          </SettingsCard>
          {others.includes(defaultsTopic) && (
            <SettingsCard id={defaultsTopic.id} title={t(defaults.texts.label)} hint={t(defaults.texts.hint)}>
              <TopicForm settings={settings} topic={defaultsTopic} />
            </SettingsCard>
          )}
          {others.includes(hooksTopic) && (
            <SettingsCard id={hooksTopic.id} title={t(commands.texts.label)} hint={t(commands.texts.hint)}>
              <TopicForm settings={settings} topic={hooksTopic} />
            </SettingsCard>
          )}
          <OptionsCard words={words} isLast={topics.length === 0 && others.length === 0} />
        </div>
      </div>
      <LeavePrompt isDirty={settings.isChanged()} />
    </SettingSearch>
  )
}

type TopicFormProps = { readonly settings: FormDraft<ServerSettings>; readonly topic: SettingTopic }

/** Renders and saves the settings of a topic. Changes of the other settings stay unsaved. */
function TopicForm({
  settings: { draft, base, change, isChanged, settle },
  topic: { names },
}: TopicFormProps) {
  const isDirty = isChanged(names)
  const { faults, failure, ...form } = useSave(draft, {
    send: async (now) => {
      const sent = { ...base, ...Object.fromEntries(names.map((name) => [name, now[name]])) }
      return { sent, ...(await saveSettings(base, sent)) }
    },
    onSaved: ({ sent, stored, changed }) => {
      settle(stored, sent)
      // The page may be opened again before the cache has dropped the settings that it loaded.
      queryClient.setQueryData(settingsQuery.queryKey, stored)
      const isOnlyHooks = changed.length === 1 && changed[0] === 'commands'
      if (changed.includes('commands') || changed.includes('shell')) void reportMissingPrograms()
      notify(t(isOnlyHooks ? 'settings.commandsUpdated' : 'settings.updated'))
    },
    explain,
  })
  const { submit, prompt } = useDangerPrompt(form.submit, () =>
    dangersOfSettings(base, { ...base, ...pickMembers(draft, names) }),
  )
  return (
    <>
      <SettingsForm
        {...form}
        submit={submit}
        isDirty={isDirty}
        unsaved={t('settings.unsavedFields', { names: listText(changedLabels(names, base, draft)) })}
        failure={isDirty ? failure : null}
      >
        <Fields table={settingFields} names={names} values={draft} onChange={change} faults={faults} />
      </SettingsForm>
      {prompt}
    </>
  )
}

/** Returns what the form says about a failure. The sentence below the form stays when the refused field has changed. */
function explain(thrown: unknown): Refusal {
  const faults = { ...refusedFieldOf(thrown, settingFields), ...refusedFieldOf(thrown, brandingFields) }
  const isAtField = Object.keys(faults).length > 0
  return isAtField ? { faults, failure: t('settings.failed.invalid') } : explainFailure(thrown)
}
