import { Children, Fragment, isValidElement } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useLanguage } from '../messages/language.tsx'
import { Button, IconButton } from './controls.tsx'
import { useSystem } from './key-names.ts'

/** True while a dialog is open: it gets the keyboard input. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
}

/** True while a dialog or a list of choices lies over the window: it gets the keyboard input. */
export function isPopupOpen(): boolean {
  return isDialogOpen() || document.querySelector('[role="listbox"]') !== null
}

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  /** The buttons below, right-aligned; the main action last, which stands first on Windows. */
  actions: ReactNode
  width?: 'narrow' | 'wide'
  role?: 'dialog' | 'alertdialog'
  /** Makes the dialog a form: Enter in a field carries out the main action. */
  onSubmit?: () => void
}

/** A question or a form above the window; Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  width = 'narrow',
  role = 'dialog',
  onSubmit,
}: DialogProps): ReactNode {
  const { t } = useLanguage()
  const system = useSystem()
  function submit(event: FormEvent): void {
    event.preventDefault()
    event.stopPropagation()
    onSubmit?.()
  }
  const body = (
    <>
      <div className="dialog__body">{children}</div>
      <footer className="dialog__actions">{system === 'windows' ? reversed(actions) : actions}</footer>
    </>
  )
  return (
    <ModalOverlay
      className="modal-overlay"
      isOpen
      onOpenChange={(open) => !open && onClose()}
      isDismissable={role === 'dialog' && !onSubmit}
    >
      <Modal className={`modal modal--${width}`}>
        <AriaDialog className="dialog" role={role}>
          <header className="dialog__head">
            <Heading slot="title" className="dialog__title">
              {title}
            </Heading>
            <IconButton icon="cross" label={t('action.close')} onPress={onClose} />
          </header>
          {onSubmit ? (
            <form className="dialog__form" onSubmit={submit} noValidate>
              {body}
            </form>
          ) : (
            body
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

function reversed(actions: ReactNode): ReactNode {
  const inFragment = isValidElement<{ children?: ReactNode }>(actions) && actions.type === Fragment
  return Children.toArray(inFragment ? actions.props.children : actions).reverse()
}

type ConfirmProps = {
  title: string
  children: ReactNode
  confirm: string
  danger?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be taken back or may cost money. */
export function Confirm({ title, children, confirm, danger = false, onConfirm, onClose }: ConfirmProps): ReactNode {
  const { t } = useLanguage()
  return (
    <Dialog
      title={title}
      role="alertdialog"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {t('action.cancel')}
          </Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            onPress={() => {
              onConfirm()
              onClose()
            }}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
