import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'

export type DialogProps = {
  readonly title: string
  /** Shows the title to screen readers only, for dialogs that display a title of their own. */
  readonly isTitleHidden?: boolean
  readonly children: ReactNode
  /** The buttons at the end of the dialog. The confirming button comes last. */
  readonly actions?: ReactNode
  /** Called on Escape and on a press outside of the dialog. Without `onClose` both do nothing. */
  readonly onClose?: () => void
  /** Makes the dialog a form. Called with its fields on Enter in a field and by the submit button. */
  readonly onSubmit?: (form: FormData) => void
  readonly width?: 'narrow' | 'wide'
  /** Marks a question before something that cannot be undone (`alertdialog`). */
  readonly isAlert?: boolean
  /** Puts the dialog above all others and blurs the page, which belongs to a user who has to log in first. */
  readonly isCovering?: boolean
}

/** Renders a modal dialog, which is open as long as it is mounted. Afterwards the focus returns to where it was. */
export function Dialog({
  title,
  isTitleHidden = false,
  children,
  actions,
  onClose,
  onSubmit,
  width = 'narrow',
  isAlert = false,
  isCovering = false,
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
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(isOpen) => !isOpen && onClose?.()}
      className={classNames(styles.overlay, isCovering && styles.covering)}
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
                onSubmit(new FormData(event.currentTarget))
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
