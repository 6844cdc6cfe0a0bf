import { app, Menu, Notification } from 'electron'
import type { Task } from 'electron'
import { locales } from '../../shared/messages/sentences.ts'
import type { Locale } from '../../shared/messages/sentences.ts'
import type { EventPayload, Settings } from '../../shared/contract/contract.ts'
import type { Core } from '../core/core.ts'
import { coalesce } from '../core/scheduling.ts'
import { activityOf, noticeBetween, taskbarProgress } from './activity.ts'
import type { Activity, Notice } from './activity.ts'
import { setStartAtLogin } from './login-item.ts'
import type { MainWindow } from './main-window.ts'
import { menuFor } from './menu.ts'
import { shellWords } from './shell-words.ts'
import type { StartRequest } from './start-request.ts'
import { dockMenu, TrayIcon, trayMenu } from './tray.ts'
import type { LastResult, ShellActions } from './tray.ts'

/** Documents change many times a second; the tray need not. */
const updateMs = 500

/** What Sheaf shows of itself outside of its window: menus, tray, dock, taskbar and notifications. */
export class Shell {
  readonly #core: Core
  readonly #window: MainWindow
  readonly #tray: TrayIcon
  readonly #actions: ShellActions
  readonly #updates: { call: () => void; stop: () => void }
  #activity: Activity | null = null
  #settings: Settings
  #last: LastResult | null = null
  /** What is shown now: nothing is set again that did not change. */
  #shown = ''
  #menuLocale: Locale | null = null
  #notification: Notification | null = null

  constructor(core: Core, window: MainWindow) {
    this.#core = core
    this.#window = window
    this.#settings = core.context.tables.settings.get()
    this.#actions = {
      show: () => window.show(),
      review: () => this.#go({ screen: 'review', id: null }),
      documents: () => this.#go({ screen: 'documents' }),
      settings: () => this.#go({ screen: 'settings' }),
      showDocument: (id) => this.#go({ screen: 'document', id }),
      setPaused: (paused) => void core.handlers[paused ? 'queue.pause' : 'queue.resume']({}),
      quit: () => app.quit(),
    }
    this.#tray = new TrayIcon(this.#actions.show)
    this.#updates = coalesce(() => void this.#update(), updateMs)
    core.onEvent((name, payload) => {
      if (name === 'document.changed') this.#documentChanged(payload as EventPayload<'document.changed'>)
      if (name === 'app.changed') this.#settingsChanged()
      this.#updates.call()
    })
    this.#setMenu()
    void this.#update()
  }

  /** Carries out what a start of Sheaf asked for. */
  handle({ files, screen, pause, isHidden }: StartRequest): void {
    if (pause !== null) this.#actions.setPaused(pause)
    if (screen !== null) this.#actions[screen]()
    else if (!isHidden && pause === null) this.#actions.show()
    this.#core.offerFiles(files)
  }

  /** Says that Sheaf goes on without its window. */
  explainTray(): void {
    this.#notify(shellWords[this.#locale].staysOpen, this.#actions.show)
  }

  stop(): void {
    this.#updates.stop()
  }

  get #locale(): Locale {
    const { language } = this.#settings
    return language === 'system' ? (locales.find((known) => app.getLocale().startsWith(known)) ?? 'en') : language
  }

  #go(to: EventPayload<'window.go'>): void {
    this.#window.show()
    this.#window.send('window.go', to)
  }

  #documentChanged({ id, status }: EventPayload<'document.changed'>): void {
    if (status !== 'done') return
    const document = this.#core.context.tables.documents.get(id)
    if (document !== null) this.#last = { id, fileName: document.name }
  }

  #settingsChanged(): void {
    const before = this.#settings
    this.#settings = this.#core.context.tables.settings.get()
    // Only when a person changes it here: what they changed in the system's own list stays.
    if (before.startsAtLogin !== this.#settings.startsAtLogin) void setStartAtLogin(this.#settings.startsAtLogin)
    this.#setMenu()
  }

  #setMenu(): void {
    if (this.#locale === this.#menuLocale) return
    this.#menuLocale = this.#locale
    const system = process.platform === 'darwin' ? 'macos' : 'other'
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuFor(system, this.#locale, this.#actions.settings)))
  }

  async #update(): Promise<void> {
    // Where core stops meanwhile, or its database broke, what is shown stays; the window says what is wrong.
    const state = await this.#core.handlers['app.state']({}).catch(() => null)
    if (state === null) return
    const before = this.#activity
    const activity = activityOf(state)
    this.#activity = activity
    const notice = before === null ? null : noticeBetween(before, activity)
    if (notice !== null && this.#settings.notifyWhenDone && !this.#window.isFocused) this.#tell(notice)
    const shown = JSON.stringify([activity, this.#last, this.#locale])
    if (shown === this.#shown) return
    this.#shown = shown
    this.#show(activity)
  }

  #show(activity: Activity): void {
    const locale = this.#locale
    this.#tray.update(shellWords[locale].status(activity), trayMenu(activity, this.#last, locale, this.#actions))
    this.#window.setProgress(taskbarProgress(activity))
    app.setBadgeCount(activity.attention)
    if (process.platform === 'darwin')
      app.dock?.setMenu(Menu.buildFromTemplate(dockMenu(activity, locale, this.#actions)))
    if (process.platform === 'win32') app.setUserTasks(jumpList(activity, locale))
  }

  #tell(notice: Notice): void {
    const leadsTo =
      notice.kind === 'done'
        ? notice.attention > 0
          ? this.#actions.review
          : this.#actions.documents
        : this.#actions.settings
    this.#notify(shellWords[this.#locale].notice(notice), leadsTo)
  }

  /** One at a time: the newest says how things are. It makes no sound. */
  #notify(text: { title: string; body: string }, onClick: () => void): void {
    this.#notification?.close()
    this.#notification = new Notification({ ...text, silent: true })
    this.#notification.on('click', onClick)
    this.#notification.show()
  }
}

/** The tasks of Windows' jump list: each starts Sheaf once more, which tells the one that runs. Pure. */
function jumpList({ isPaused }: Activity, locale: Locale): Task[] {
  const words = shellWords[locale]
  const task = (title: string, argument: string): Task => ({
    title,
    arguments: argument,
    program: process.execPath,
    description: title,
    iconPath: process.execPath,
    iconIndex: 0,
  })
  return [
    task(words.review, '--show=review'),
    task(words.settings, '--show=settings'),
    isPaused ? task(words.resume, '--resume') : task(words.pause, '--pause'),
  ]
}
