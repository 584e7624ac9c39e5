import { useState } from 'react'
import type { TakeoverRepetition } from '../../../../shared/contract/server.ts'
import { callJson } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import { takeoverQuery } from '../../../api/takeover-query.ts'
import { sentences } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { reasonOf } from '../../../operations/reason.ts'
import { notify } from '../../../state/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, focusFirst } from '../../../ui/dialog.tsx'
import styles from './takeover-page.module.css'

type MissingDisk = Extract<TakeoverRepetition, { readonly kind: 'disk-missing' }>

/** Renders the button that repeats the takeover. When most entries are missing, it asks about the disk first. */
export function TakeOverAgain() {
  const [isBusy, setIsBusy] = useState(false)
  const [missing, setMissing] = useState<MissingDisk | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const repeat = async (allowMissing: boolean): Promise<void> => {
    setIsBusy(true)
    setFailure(null)
    setMissing(null)
    try {
      const result = await callJson('takeover.repeat', { body: { allowMissing } })
      if (result.kind === 'disk-missing') return setMissing(result)
      notify(t('settings.takeover.again.done', { links: result.links, users: result.users }))
      await queryClient.invalidateQueries({ queryKey: takeoverQuery.queryKey })
    } catch (thrown) {
      setFailure(reasonOf(thrown))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <div>
        <Button isBusy={isBusy} onClick={() => void repeat(false)}>
          {t('settings.takeover.again')}
        </Button>
      </div>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {sentences(t('settings.takeover.again.failed'), failure)}
        </p>
      )}
      {missing !== null && (
        <DiskQuestion
          missing={missing}
          onClose={() => setMissing(null)}
          onConfirm={() => void repeat(true)}
        />
      )}
    </>
  )
}

type DiskQuestionProps = {
  readonly missing: MissingDisk
  readonly onClose: () => void
  readonly onConfirm: () => void
}

const DiskQuestion = ({ missing: { missing, total }, onClose, onConfirm }: DiskQuestionProps) => (
  <Dialog
    title={t('settings.takeover.again.question')}
    isAlert
    onClose={onClose}
    onSubmit={onConfirm}
    actions={
      <>
        <Button onClick={onClose} ref={focusFirst}>
          {t('buttons.cancel')}
        </Button>
        <Button kind="danger" type="submit">
          {t('settings.takeover.again.anyway')}
        </Button>
      </>
    }
  >
    <p>{t('settings.takeover.again.missing', { missing, total })}</p>
    <p>{t('settings.takeover.again.mount')}</p>
  </Dialog>
)
