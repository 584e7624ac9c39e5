import { useState } from 'react'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { closePrompt } from '../../state/prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DurationField } from './duration-field.tsx'
import { LinkEffect } from './link-effect.tsx'
import { LinkPasswordField } from './link-password-field.tsx'
import { durationOf, emptyFields, endOf, startOf, termsOfFields, type LinkFields } from './link-terms.ts'
import { createLink, type SharedEntry } from './share-links.ts'
import styles from './sharing.module.css'

type LinkFormProps = {
  readonly entry: SharedEntry
  /** The visible name of the entry. */
  readonly name: string
  readonly onCreated: (link: ShareResource) => void
  readonly onCancel: () => void
}

/** Asks for the terms of a new link and creates it. What was typed stays when the server refuses it. */
export function LinkForm({ entry, name, onCreated, onCancel }: LinkFormProps) {
  const [fields, setFields] = useState<LinkFields>(emptyFields)
  const [state, setState] = useState<{ isBusy: boolean; failure: string | null }>({
    isBusy: false,
    failure: null,
  })
  const change = (changed: Partial<LinkFields>): void => setFields((now) => ({ ...now, ...changed }))
  const problem = problemOf(fields)
  const submit = async (): Promise<void> => {
    if (state.isBusy || problem !== null) return
    setState({ isBusy: true, failure: null })
    try {
      onCreated(await createLink(entry, termsOfFields(fields)))
    } catch (thrown) {
      setState({ isBusy: false, failure: reasonOf(thrown) })
    }
  }
  return (
    <Dialog
      title={t('share.title', { name })}
      width="wide"
      onClose={closePrompt}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onCancel}>{t('buttons.cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={state.isBusy} disabled={problem !== null}>
            {t('action.share')}
          </Button>
        </>
      }
    >
      <DurationField
        duration={fields.duration}
        unit={fields.unit}
        error={problem === 'duration' ? t('share.wrongDuration') : null}
        onChange={change}
      />
      <LinkPasswordField value={fields.password} onChange={(password) => change({ password })} />
      <TextField
        type="datetime-local"
        label={t('share.schedule')}
        hint={t('share.scheduleHint')}
        className={styles.schedule}
        error={problem === 'start' ? t('share.startsAfterEnd') : null}
        value={fields.from}
        onChange={({ target }) => change({ from: target.value })}
      />
      <LinkEffect fields={fields} name={name} />
      {state.failure !== null && (
        <p role="alert" className={styles.failure}>
          {t('share.failed.create')} {state.failure}
        </p>
      )}
    </Dialog>
  )
}

/** Returns the field that keeps the link from being created, or null. A link that ends before it starts never works. */
function problemOf(fields: LinkFields): 'duration' | 'start' | null {
  if (durationOf(fields.duration) === null) return 'duration'
  const endMs = endOf(fields)
  const startMs = startOf(fields)
  return endMs !== null && startMs !== null && startMs >= endMs ? 'start' : null
}
