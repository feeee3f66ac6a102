import type { DiffRow } from '../shapes.ts'

export const frontEndDiffs: readonly DiffRow[] = [
  {
    relevant: ['valid-deserialise'],
    files: ['ingest/load_settings.py'],
    diff: `@@ -2,5 +2,5 @@ import yaml

 def load_settings(upload: bytes) -> Settings:
-    return Settings(**yaml.safe_load(upload))
+    return Settings(**yaml.load(upload, Loader=yaml.Loader))

 def empty_settings() -> Settings:`,
  },
  {
    relevant: ['valid-boolean-strings'],
    files: ['server/src/config.ts'],
    diff: `@@ -20,4 +20,5 @@ export function readConfig(env: Env): Config {
   return {
     port: Number(env.PORT),
+    sendMails: Boolean(env.SEND_MAILS),
   }
 }`,
  },
  {
    relevant: ['upload-stream'],
    files: ['server/src/files/receive.ts'],
    diff: `@@ -7,2 +7,5 @@ export async function receive(request: Request, store: Store) {
-  await pipeline(request.raw, store.writer(newName()))
+  const chunks: Buffer[] = []
+  for await (const chunk of request.raw) chunks.push(chunk)
+  const whole = Buffer.concat(chunks)
+  await store.write(newName(), whole)
 }`,
  },
  {
    relevant: ['react-key-stable'],
    files: ['web/src/cart/lines.tsx'],
    diff: `@@ -10,6 +10,6 @@ export function Lines({ lines }: Props) {
   return (
     <ul>
-      {lines.map((line) => <Line key={line.id} line={line} />)}
+      {lines.map((line, position) => <Line key={position} line={line} />)}
     </ul>
   )
 }`,
  },
  {
    relevant: ['react-effect-derive'],
    files: ['web/src/cart/total.tsx'],
    diff: `@@ -4,3 +4,6 @@ export function Total({ lines }: Props) {
-  const total = sum(lines.map((line) => line.amount))
+  const [total, setTotal] = useState(0)
+  useEffect(() => {
+    setTotal(sum(lines.map((line) => line.amount)))
+  }, [lines])
   return <output>{format(total)}</output>
 }`,
  },
  {
    relevant: ['react-effect-cleanup'],
    files: ['web/src/room/presence.tsx'],
    diff: `@@ -6,3 +6,7 @@ export function Presence({ roomId }: Props) {
   const [people, setPeople] = useState<Person[]>([])
+  useEffect(() => {
+    const timer = setInterval(() => refresh(roomId).then(setPeople), 5000)
+    socket.on('joined', (person) => setPeople((all) => [...all, person]))
+  }, [roomId])
   return <Avatars people={people} />
 }`,
  },
  {
    relevant: ['react-props-boolean'],
    files: ['packages/ui/src/badge.tsx'],
    diff: `@@ -1,4 +1,7 @@
 interface BadgeProps {
   label: string
-  tone: 'neutral' | 'warning'
+  isWarning?: boolean
+  isDanger?: boolean
+  isMuted?: boolean
+  isLarge?: boolean
 }`,
  },
  {
    relevant: ['css-tokens-only'],
    files: ['web/src/cart/cart.module.css'],
    diff: `@@ -1,5 +1,6 @@
 .summary {
-  background: var(--color-surface-raised);
-  padding: var(--space-4);
+  background: #f7f7f9;
+  color: #1b1b1f;
+  padding: 17px;
   border-radius: var(--radius-2);
 }`,
  },
  {
    relevant: ['css-focus-ring'],
    files: ['packages/ui/src/link.module.css'],
    diff: `@@ -4,3 +4,7 @@
 .link {
   text-decoration: underline;
 }
+
+.link:focus {
+  outline: none;
+}`,
  },
  {
    relevant: ['css-logical-props'],
    files: ['web/src/inbox/row.module.css'],
    diff: `@@ -2,4 +2,5 @@
 .avatar {
   inline-size: 2.5rem;
-  margin-inline-end: var(--space-3);
+  margin-right: var(--space-3);
+  padding-left: var(--space-1);
 }`,
  },
  {
    relevant: ['a11y-button-element', 'css-button-component'],
    files: ['web/src/filters/chip.tsx'],
    diff: `@@ -4,3 +4,3 @@
 export function Chip({ label, onRemove }: Props) {
-  return <button type="button" className={styles.chip} onClick={onRemove}>{label}</button>
+  return <div className={styles.chip} onClick={onRemove}>{label}</div>
 }`,
  },
  {
    relevant: ['a11y-label-inputs'],
    files: ['web/src/signup/form.tsx'],
    diff: `@@ -14,5 +14,4 @@ export function SignupForm() {
     <form onSubmit={submit}>
-      <label htmlFor="company">{t('signup.company')}</label>
-      <input id="company" {...register('company')} />
+      <input placeholder={t('signup.company')} {...register('company')} />
       <Button type="submit">{t('signup.submit')}</Button>
     </form>`,
  },
  {
    relevant: ['a11y-icon-name'],
    files: ['web/src/toolbar/toolbar.tsx'],
    diff: `@@ -8,2 +8,5 @@ export function Toolbar({ onPrint, onShare }: Props) {
   <Button onClick={onPrint}>{t('toolbar.print')}</Button>
+  <Button onClick={onShare}>
+    <Icon name="share" />
+  </Button>
 </div>`,
  },
  {
    relevant: ['ios-force-unwrap'],
    files: ['App/Profile/ProfileView.swift'],
    diff: `@@ -20,5 +20,5 @@ struct ProfileView: View {
     func avatarURL() -> URL {
-        guard let url = URL(string: user.avatar ?? "") else { return placeholder }
-        return url
+        let data = try! JSONDecoder().decode(Avatar.self, from: user.raw!)
+        return URL(string: data.address)!
     }
 }`,
  },
  {
    relevant: ['ios-keychain'],
    files: ['App/Session/SessionStore.swift'],
    diff: `@@ -9,3 +9,5 @@ final class SessionStore {
     func save(_ session: Session) {
-        vault.store(session)
+        let defaults = UserDefaults.standard
+        defaults.set(session.refreshToken, forKey: "refresh")
+        defaults.set(session.userId, forKey: "user")
     }`,
  },
]
