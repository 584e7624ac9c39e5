import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { classNames } from './class-names.ts'
import { ignoreKeys, useKeyScope } from './keyboard/use-key-scope.ts'
import styles from './dialog.module.css'

export type DialogProps = {
  readonly title: string
  /** Exposes the title to screen readers only, for dialogs that render their own visible title. */
  readonly isTitleHidden?: boolean
  readonly children: ReactNode
  /** The buttons at the end of the dialog. The confirming button comes last. */
  readonly actions?: ReactNode
  /**
   * Called on the Escape key and on a press outside of the dialog. Without `onClose` the dialog ignores the key and the
   * press.
   */
  readonly onClose?: () => void
  /**
   * Makes the dialog a form. Called with the form's fields when the user presses Enter in a field or the submit button.
   */
  readonly onSubmit?: (form: FormData) => void
  readonly width?: 'narrow' | 'wide'
  /** Gives the dialog the role `alertdialog`, for a question before an action that cannot be undone. */
  readonly isAlert?: boolean
  /**
   * Puts the dialog above all other dialogs and blurs the page, whose content must stay hidden until its user has
   * logged in.
   */
  readonly isCovering?: boolean
}

/**
 * Renders a modal dialog, which is open as long as it is mounted. When it is unmounted, the focus returns to the
 * element that had it before.
 */
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
  useKeyScope('dialog', ignoreKeys)
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

/** Focuses an element when its dialog opens. Used as the element's `ref`. */
export const focusFirst = (element: HTMLElement | null): void => element?.focus()
