import { Check, CircleCheck, Lock } from 'lucide'
import type { RuleCheck } from '../../../../shared/contract/users.ts'
import { t } from '../../../i18n/translate.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { RulePathField } from './rule-path-field.tsx'
import styles from './rule-editor.module.css'
import type { RuleTrial } from './use-rule-trial.ts'

type RuleTesterProps = {
  readonly trial: RuleTrial
  /** The number of rules for all users, which come first in the tried list. */
  readonly globalCount: number
}

/**
 * Renders a field for a path, and what the rules decide about it: for the user whose rules are edited, for one chosen user, or
 * for all of them at once.
 */
export function RuleTester({ trial, globalCount }: RuleTesterProps) {
  const { path, setPath, answer, scope, people, person, setPersonId, personalAnswer } = trial
  const isForEverybody = people.length > 0
  const single = isForEverybody ? personalAnswer : answer
  const check = path === '' ? null : (single?.check ?? null)
  const reasonOf: ReasonOf = (rule) => {
    if (rule === null) return t('settings.rules.test.none')
    if (isForEverybody && rule >= globalCount && person !== null)
      return t('settings.rules.test.ofUser', {
        number: rule - globalCount + 1,
        name: visibleName(person.username),
      })
    if (isForEverybody) return t('settings.rules.test.own', { number: rule + 1 })
    return rule < globalCount
      ? t('settings.rules.test.global', { number: rule + 1 })
      : t('settings.rules.test.own', { number: rule - globalCount + 1 })
  }
  return (
    <div className={styles.tester}>
      {isForEverybody && (
        <SelectField
          label={t('settings.rules.test.as')}
          value={person?.id ?? ''}
          options={[
            { value: '', label: t('settings.rules.test.everybody') },
            ...people.map(({ id, username }) => ({ value: String(id), label: visibleName(username) })),
          ]}
          onChange={({ target }) => setPersonId(target.value === '' ? null : Number(target.value))}
        />
      )}
      <RulePathField
        label={t('settings.rules.test')}
        placeholder="/"
        hint={
          isForEverybody
            ? person === null
              ? t('settings.rules.test.everybody.hint')
              : t('settings.rules.test.in', { folder: visibleName(person.scope) })
            : undefined
        }
        scope={scope}
        value={path}
        onChange={setPath}
      />
      <output className={styles.status}>
        {check !== null && (
          <span className={styles.verdict} data-allowed={check.isAllowed}>
            <Icon icon={check.isAllowed ? CircleCheck : Lock} size={16} />
            {verdictText(check.isAllowed, reasonOf(check.rule))}
            {!check.isFound && ` – ${t('settings.rules.test.absent')}`}
          </span>
        )}
        {path !== '' &&
          answer?.check.faults.map(({ rule, kind }) => (
            <span key={rule} className={styles.fault}>
              {t(
                !isForEverybody && rule < globalCount
                  ? 'settings.rules.test.fault'
                  : 'settings.rules.test.ownFault',
                {
                  number: isForEverybody || rule < globalCount ? rule + 1 : rule - globalCount + 1,
                  fault: t(`settings.rules.fault.${kind}`),
                },
              )}
            </span>
          ))}
      </output>
      {isForEverybody && person === null && path !== '' && answer !== null && answer.input.path !== '' && (
        <Everybody check={answer.check} />
      )}
      {check !== null && check.entries.length > 0 && (
        <ScrollArea className={styles.entries} label={t('settings.rules.test.entries')}>
          <ul className={styles.list}>
            {check.entries.map(({ name, isFolder, isAllowed, rule }) => (
              <li key={name} data-allowed={isAllowed} className={styles.entry}>
                <Icon icon={isAllowed ? Check : Lock} size={16} />
                <FileName name={isFolder ? `${name}/` : name} />
                <span className={styles.reason}>{verdictText(isAllowed, reasonOf(rule))}</span>
              </li>
            ))}
          </ul>
        </ScrollArea>
      )}
    </div>
  )
}

/** Returns the words for the rule at a position of the tried list. Null stands for no rule. */
type ReasonOf = (rule: number | null) => string

const verdictText = (isAllowed: boolean, reason: string): string =>
  t(isAllowed ? 'settings.rules.test.allowed' : 'settings.rules.test.denied', { reason })

/** Renders what the rules decide about the same path for each user. */
function Everybody({ check: { people, otherPeople } }: { readonly check: RuleCheck }) {
  return (
    <ScrollArea className={styles.entries} label={t('settings.rules.test.everybody.list')}>
      <ul className={styles.list}>
        {people.map(({ id, username, isAllowed, isOwnRule, rule, isFound }) => (
          <li key={id} data-allowed={isAllowed} className={styles.entry}>
            <Icon icon={isAllowed ? Check : Lock} size={16} />
            <bdi className={styles.person}>{visibleName(username)}</bdi>
            <span className={styles.reason}>
              {verdictText(
                isAllowed,
                rule === null
                  ? t('settings.rules.test.none')
                  : isOwnRule
                    ? t('settings.rules.test.ofUser', { number: rule + 1, name: visibleName(username) })
                    : t('settings.rules.test.own', { number: rule + 1 }),
              )}
              {!isFound && ` – ${t('settings.rules.test.absent')}`}
            </span>
          </li>
        ))}
      </ul>
      {otherPeople > 0 && (
        <p className={styles.hint}>{t('settings.rules.test.others', { count: otherPeople })}</p>
      )}
    </ScrollArea>
  )
}
