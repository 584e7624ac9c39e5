import { Check, CircleCheck, Info, Lock } from 'lucide'
import type { AccessExplanation } from '../../../../shared/contract/users.ts'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../../ui/icon.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './users-page.module.css'

/** One part of the explanation. `isAllowed` is null for a remark that does not affect the result. */
type Step = { readonly isAllowed: boolean | null; readonly text: string }

/** Renders an explanation of access: the result, and the checks in the order in which the server makes them. */
export function ExplanationSteps({ explanation }: { readonly explanation: AccessExplanation }) {
  const { isAllowed } = explanation
  return (
    <>
      <p className={styles.verdict} data-allowed={isAllowed}>
        <Icon icon={isAllowed ? CircleCheck : Lock} />
        {t(isAllowed ? 'settings.why.allowed' : 'settings.why.denied')}
      </p>
      <ol className={styles.steps}>
        {stepsOf(explanation).map((step, index) => (
          <li key={index} className={styles.step} data-allowed={step.isAllowed ?? true}>
            <Icon icon={step.isAllowed === null ? Info : step.isAllowed ? Check : Lock} size={16} />
            <span>{step.text}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

function stepsOf({
  isDisabled,
  hasScope,
  permissions,
  decisions,
  command,
  failure,
}: AccessExplanation): readonly Step[] {
  const isDenied = decisions.some(({ isAllowed }) => !isAllowed)
  return [
    ...(isDisabled ? [{ isAllowed: false, text: t('settings.why.disabled') }] : []),
    ...permissions.map(({ name, isGranted }) => ({
      isAllowed: isGranted,
      text: t(isGranted ? 'settings.why.granted' : 'settings.why.missing', {
        permission: t(`settings.perm.${name}`),
      }),
    })),
    ...(command === null ? [] : stepsOfCommand(command)),
    ...(hasScope ? [] : [{ isAllowed: false, text: t('settings.why.noScope') }]),
    ...decisions.map(stepOfDecision),
    ...(failure === 'forbidden' && !isDenied
      ? [{ isAllowed: false, text: t('settings.why.protected') }]
      : []),
    ...(failure !== null && failure !== 'forbidden' && hasScope
      ? [{ isAllowed: null, text: t('settings.why.fails', { reason: t(`reason.${failure}`) }) }]
      : []),
  ]
}

/** Returns the checks of a command: whether commands are enabled, the user's list of commands, and denying rules. */
function stepsOfCommand({
  program,
  isOn,
  isListed,
  hasDenials,
}: NonNullable<AccessExplanation['command']>): readonly Step[] {
  const listed = isListed ? 'listed' : 'unlisted'
  return [
    ...(isOn ? [] : [{ isAllowed: false, text: t('settings.why.command.off') }]),
    {
      isAllowed: isListed,
      text: t(`settings.why.command.${listed}`, { program: visibleName(program) }),
    },
    ...(hasDenials ? [{ isAllowed: false, text: t('settings.why.command.denials') }] : []),
  ]
}

function stepOfDecision({
  path,
  isAllowed,
  decidedBy,
  position,
  rule,
}: AccessExplanation['decisions'][number]): Step {
  const name = visibleName(path)
  if (decidedBy === 'no-rule') return { isAllowed, text: t('settings.why.noRule', { path: name }) }
  if (decidedBy === 'dotfiles') return { isAllowed, text: t('settings.why.dotfile', { path: name }) }
  const kind = decidedBy === 'global-rule' ? 'global' : 'own'
  return {
    isAllowed,
    text: t(`settings.why.${kind}.${isAllowed ? 'allows' : 'denies'}`, {
      path: name,
      number: (position ?? 0) + 1,
      rule: visibleName((rule?.regex ? rule.regexp?.raw : rule?.path) ?? ''),
    }),
  }
}
