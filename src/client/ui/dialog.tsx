import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'

export type DialogProps = {
  readonly title: string
  /** The title is for screen readers only, where the dialog has its own. */
  readonly isTitleHidden?: boolean
  readonly children: ReactNode
  /** Buttons at the end, the confirming one last. */
  readonly actions?: ReactNode
  readonly onClose: () => void
  /** A form: Enter in a field and the submitting button do this. */
  readonly onSubmit?: () => void
  readonly width?: 'narrow' | 'wide'
  /** Interrupts and asks before something that cannot be taken back. */
  readonly isAlert?: boolean
}

/** Open as long as it is mounted. Escape and a press outside close it; the focus goes back to where it came from. */
export function Dialog({
  title,
  isTitleHidden = false,
  children,
  actions,
  onClose,
  onSubmit,
  width = 'narrow',
  isAlert = false,
}: DialogProps) {
  const inside = (
    <>
      <Heading slot="title" className={isTitleHidden ? 'visually-hidden' : (styles.title ?? '')}>
        {title}
      </Heading>
      <div className={styles.content}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </>
  )
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={styles.overlay ?? ''}
    >
      <Modal className={classNames(styles.modal, styles[width])}>
        <AriaDialog role={isAlert ? 'alertdialog' : 'dialog'} className={styles.dialog ?? ''}>
          {onSubmit === undefined ? (
            inside
          ) : (
            <form
              noValidate
              className={styles.form}
              onSubmit={(event) => {
                event.preventDefault()
                onSubmit()
              }}
            >
              {inside}
            </form>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
