import { settingFields, settingForms } from '../../../../shared/contract/setting-fields.ts'
import { config } from '../../../api/config.ts'
import { t, type PlainMessageId } from '../../../i18n/translate.ts'
import { isSettingFound } from '../form/setting-search.ts'

type TopicName = (typeof settingForms)['general' | 'defaults' | 'hooks'][number]

/** Settings that are shown and saved together. */
export type SettingTopic = {
  readonly id: string
  readonly title: PlainMessageId
  readonly names: readonly TopicName[]
  /** True for a topic whose first field has its title as a heading already. */
  readonly hasHeading?: true
}

const { rules, shell, branding, tus, defaults, commands } = settingFields

/** The topics of the first column, in the order of the screen. */
export const generalTopics: readonly SettingTopic[] = [
  {
    id: 'topic-accounts',
    title: 'settings.topic.accounts',
    names: ['signup', 'createUserDir', 'userHomeBasePath', 'minimumPasswordLength', 'hideLoginButton'],
  },
  { id: 'topic-audit', title: 'settings.tab.audit', names: ['auditDays'] },
  { id: 'topic-rules', title: rules.texts.heading, names: ['rules'], hasHeading: true },
  { id: 'topic-shell', title: shell.texts.heading, names: ['shell'], hasHeading: true },
  { id: 'topic-branding', title: branding.texts.heading, names: ['branding'], hasHeading: true },
  { id: 'topic-uploads', title: tus.texts.heading, names: ['tus'], hasHeading: true },
]

/** The settings of the second and of the third column, each of which is one topic. */
export const defaultsTopic: SettingTopic = {
  id: 'topic-defaults',
  title: defaults.texts.label,
  names: settingForms.defaults,
}
export const hooksTopic: SettingTopic = {
  id: 'topic-hooks',
  title: commands.texts.label,
  names: settingForms.hooks,
}

/** Returns true for a topic that is shown to somebody who looks for some words; false for one that needs commands without them. */
export const isTopicFound = (words: readonly string[], { names, title }: SettingTopic): boolean =>
  names.some((name) => {
    const field = settingFields[name]
    if ('needsCommands' in field && !config().EnableExec) return false
    return isSettingFound(words, name, field) || isSettingFound(words, t(title), field)
  })
