import { useEffect, useRef, useState } from 'react'
import { Plus } from 'lucide'
import type { AccessRule } from '../../../../shared/domain/access.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { RuleRow } from './rule-row.tsx'
import { RuleTester } from './rule-tester.tsx'
import type { RuleCheckAnswer } from './use-rule-check.ts'
import { useRuleTrial, type EditedUser } from './use-rule-trial.ts'
import styles from './rule-editor.module.css'

type RuleEditorProps = {
  readonly value: readonly AccessRule[]
  readonly onChange: (rules: readonly AccessRule[]) => void
  /** The sentence that says whom the rules concern. */
  readonly hint: string | undefined
  /** The reason why the server refused the rules, or null. */
  readonly error: string | null
  /** The user whose rules are edited. Without it, the rules are those for all users. */
  readonly user?: EditedUser | undefined
}

/** A new rule denies, because every path without a rule is allowed. */
const newRule: AccessRule = { allow: false, regex: false, path: '', regexp: { raw: '' } }

/**
 * Renders rules that the administrator adds, removes, moves and tries on real entries. Later rules win. The server checks
 * the rules while they are typed.
 */
export function RuleEditor({ value, onChange, hint, error, user }: RuleEditorProps) {
  const before = user?.globalRules ?? []
  const keys = useRowKeys(value.length)
  const { editor, focusRow } = useRowFocus(value.length)
  const trial = useRuleTrial(value, user)
  const { answer } = trial
  const isAnswered = (index: number) => isAbout(answer, before.length + index, value[index])
  const swap = (index: number, other: number): void => {
    keys.swap(index, other)
    onChange(
      value.map((rule, at) => (at === index ? value[other] : at === other ? value[index] : rule) ?? rule),
    )
  }
  return (
    <div ref={editor} className={styles.editor}>
      <p className={styles.hint}>{hint}</p>
      {value.length > 0 && (
        <ol className={styles.rules}>
          {value.map((rule, index) => (
            <li key={keys.keyOf(index)}>
              <RuleRow
                rule={rule}
                number={index + 1}
                fault={isAnswered(index) ? faultIn(answer, before.length + index) : null}
                unmatched={isAnswered(index) ? unmatchedIn(answer, before.length + index) : null}
                scope={trial.scope}
                onChange={(changes) =>
                  onChange(value.map((one, at) => (at === index ? { ...one, ...changes } : one)))
                }
                onUp={index > 0 ? () => swap(index, index - 1) : null}
                onDown={index < value.length - 1 ? () => swap(index, index + 1) : null}
                onRemove={() => {
                  focusRow(index)
                  keys.remove(index)
                  onChange(value.filter((_, at) => at !== index))
                }}
              />
            </li>
          ))}
        </ol>
      )}
      {error !== null && (
        <p role="alert" className={styles.refused}>
          {error}
        </p>
      )}
      <div>
        <Button
          icon={Plus}
          onClick={() => {
            focusRow(value.length)
            onChange([...value, newRule])
          }}
        >
          {t('settings.rules.new')}
        </Button>
      </div>
      <RuleTester trial={trial} globalCount={user === undefined ? value.length : before.length} />
    </div>
  )
}

/**
 * Returns true when an answer is about the rule at a position. An answer about another text at that position, before the rule
 * was edited or moved, says nothing about the rule.
 */
const isAbout = (answer: RuleCheckAnswer | null, position: number, rule: AccessRule | undefined): boolean =>
  answer !== null && textOf(answer.input.rules[position]) === textOf(rule)

const faultIn = (answer: RuleCheckAnswer | null, position: number) =>
  answer?.check.faults.find((fault) => fault.rule === position)?.kind ?? null

const unmatchedIn = (answer: RuleCheckAnswer | null, position: number) =>
  answer?.check.unmatched.find(({ rule }) => rule === position) ?? null

const textOf = (rule: AccessRule | undefined): string | undefined =>
  rule?.regex ? rule.regexp?.raw : rule?.path

/**
 * Moves the focus after a rule was added or removed: to the text of the rule at a position, to that of the last rule, or
 * to the button for a new rule. The focus would be lost with the button of a removed rule.
 */
function useRowFocus(count: number) {
  const editor = useRef<HTMLDivElement>(null)
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    const rows = editor.current?.querySelectorAll('fieldset')
    const row = rows?.[Math.min(wanted.current, count - 1)]
    wanted.current = null
    const target =
      row?.querySelector<HTMLElement>('input:not([type="checkbox"])') ??
      editor.current?.querySelector('button')
    target?.focus()
  }, [count])
  return {
    editor,
    focusRow: (index: number): void => {
      wanted.current = index
    },
  }
}

/** Keeps a number for each row, because rules have no id. A number stays with its row when other rows move. */
function useRowKeys(count: number) {
  const [kept, setKept] = useState<readonly number[]>([])
  const keys = kept.slice(0, count)
  while (keys.length < count) keys.push(Math.max(-1, ...kept, ...keys) + 1)
  return {
    keyOf: (index: number): number => keys[index] ?? index,
    remove: (index: number): void => setKept(keys.filter((_, at) => at !== index)),
    swap: (index: number, other: number): void =>
      setKept(keys.map((key, at) => (at === index ? keys[other] : at === other ? keys[index] : key) ?? key)),
  }
}
