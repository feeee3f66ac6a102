import type { DiffRow } from '../shapes.ts'

export const languageDiffs: readonly DiffRow[] = [
  {
    relevant: ['go-err-wrap', 'err-wrap-cause'],
    files: ['internal/orders/load.go'],
    diff: `@@ -12,5 +12,5 @@ func (l *Loader) Load(ctx context.Context, id string) (*Order, error) {
 	order, err := l.store.Get(ctx, id)
 	if err != nil {
-		return nil, fmt.Errorf("load order %s: %w", id, err)
+		return nil, fmt.Errorf("could not load order: %v", err)
 	}
 	return order, nil`,
  },
  {
    relevant: ['go-sql-rows-err'],
    files: ['internal/store/tags.go'],
    diff: `@@ -8,1 +8,12 @@ func (s *Store) Tags(ctx context.Context) ([]string, error) {
+	rows, err := s.db.QueryContext(ctx, listTags)
+	if err != nil {
+		return nil, err
+	}
+	var tags []string
+	for rows.Next() {
+		var tag string
+		_ = rows.Scan(&tag)
+		tags = append(tags, tag)
+	}
+	return tags, nil
 }`,
  },
  {
    relevant: ['go-goroutine-owner', 'conc-fire-forget'],
    files: ['internal/http/signup.go'],
    diff: `@@ -31,3 +31,6 @@ func (h *Handler) Signup(w http.ResponseWriter, r *http.Request) {
 	account := h.accounts.Create(r.Context(), form)
+	go func() {
+		h.welcome(context.Background(), account)
+	}()
 	writeJSON(w, http.StatusCreated, account)
 }`,
  },
  {
    relevant: ['rust-no-unwrap'],
    files: ['crates/server/src/config.rs'],
    diff: `@@ -6,5 +6,5 @@ impl Config {
     pub fn load(path: &Path) -> Result<Self, ConfigError> {
-        let text = fs::read_to_string(path)?;
-        Ok(toml::from_str(&text)?)
+        let text = fs::read_to_string(path).unwrap();
+        Ok(toml::from_str(&text).unwrap())
     }
 }`,
  },
  {
    relevant: ['rust-async-lock', 'conc-no-io-in-lock'],
    files: ['crates/server/src/sessions.rs'],
    diff: `@@ -15,4 +15,7 @@ impl Sessions {
     pub async fn touch(&self, id: SessionId) -> Result<(), Error> {
-        let stamp = self.clock.now();
+        let mut seen = self.seen.lock().unwrap();
+        let stamp = self.clock.now();
+        self.store.update(id, stamp).await?;
+        seen.insert(id, stamp);
         Ok(())
     }`,
  },
  {
    relevant: ['py-mutable-default'],
    files: ['reports/collect.py'],
    diff: `@@ -4,5 +4,4 @@
-def collect(rows, seen=None):
-    seen = set() if seen is None else seen
+def collect(rows, seen=set()):
     for row in rows:
         seen.add(row.key)
     return seen`,
  },
  {
    relevant: ['py-asyncio-blocking'],
    files: ['gateway/poll.py'],
    diff: `@@ -10,5 +10,5 @@ async def wait_until_ready(url: str) -> None:
     while True:
-        response = await client.get(url)
+        response = requests.get(url, timeout=2)
         if response.status_code == 200:
             return
-        await asyncio.sleep(1)
+        time.sleep(1)`,
  },
  {
    relevant: ['jvm-constructor-injection'],
    files: ['src/main/java/mail/Mailer.java'],
    diff: `@@ -8,8 +8,5 @@
 @Component
 public class Mailer {
-  private final Templates templates;
-
-  public Mailer(Templates templates) {
-    this.templates = templates;
-  }
+  @Autowired
+  private Templates templates;
 }`,
  },
  {
    relevant: ['jvm-kotlin-bang'],
    files: ['src/main/kotlin/orders/Shipping.kt'],
    diff: `@@ -11,3 +11,3 @@ class Shipping(private val addresses: Addresses) {
   fun label(order: Order): Label {
-    val address = addresses.find(order.addressId) ?: return Label.Unknown
+    val address = addresses.find(order.addressId)!!
     return Label.For(address)`,
  },
  {
    relevant: ['ts-no-any'],
    files: ['server/src/partners/parse.ts'],
    diff: `@@ -3,3 +3,3 @@
-export function parsePartner(body: unknown): Partner {
-  return partnerSchema.parse(body)
+export function parsePartner(body: any): Partner {
+  return body.partner as Partner
 }`,
  },
  {
    relevant: ['ts-no-enum'],
    files: ['server/src/orders/state.ts'],
    diff: `@@ -1,1 +1,5 @@
-export type OrderState = 'open' | 'paid' | 'shipped'
+export enum OrderState {
+  Open = 'open',
+  Paid = 'paid',
+  Shipped = 'shipped',
+}`,
  },
  {
    relevant: ['cpp-raii'],
    files: ['src/image/decoder.cpp'],
    diff: `@@ -17,3 +17,6 @@ Image decode(std::span<const std::byte> input) {
-  auto decoder = std::make_unique<Decoder>(input);
-  return decoder->run();
+  Decoder* decoder = new Decoder(input);
+  if (!decoder->valid()) return Image{};
+  Image image = decoder->run();
+  delete decoder;
+  return image;
 }`,
  },
  {
    relevant: ['pipe-spark-collect'],
    files: ['jobs/daily_scores.py'],
    diff: `@@ -22,2 +22,4 @@ def run(spark, day):
     clicks = spark.read.parquet(path_of(day))
-    clicks.groupBy("user_id").count().write.parquet(target_of(day))
+    frame = clicks.toPandas()
+    scores = frame.groupby("user_id").size()
+    scores.to_frame().to_parquet(local_path(day))`,
  },
  {
    relevant: ['money-integer-minor'],
    files: ['billing/src/cart-total.ts'],
    diff: `@@ -1,3 +1,5 @@
 export function cartTotal(lines: Line[]) {
-  return lines.reduce((total, line) => total.plus(line.amount), Money.zero('EUR'))
+  let total = 0.0
+  for (const line of lines) total += line.quantity * parseFloat(line.price)
+  return total.toFixed(2)
 }`,
  },
  {
    relevant: ['time-clock-injected'],
    files: ['billing/src/trial.ts'],
    diff: `@@ -5,3 +5,3 @@
-export function isTrialOver(trial: Trial, clock: Clock): boolean {
-  return clock.now() >= trial.endsAt
+export function isTrialOver(trial: Trial): boolean {
+  return new Date().getTime() >= trial.endsAt.getTime()
 }`,
  },
  {
    relevant: ['flaky-no-sleep'],
    files: ['e2e/export.spec.ts'],
    diff: `@@ -9,3 +9,4 @@ test('exports a report', async ({ page }) => {
   await page.getByRole('button', { name: 'Export' }).click()
-  await expect(page.getByText('Your file is ready')).toBeVisible()
+  await page.waitForTimeout(5000)
+  expect(await page.getByText('Your file is ready').isVisible()).toBe(true)
 })`,
  },
  {
    relevant: ['test-assert-specific'],
    files: ['server/src/vouchers/redeem.test.ts'],
    diff: `@@ -14,3 +14,4 @@ test('refuses an expired voucher', async () => {
   const voucher = await aVoucher().expired().build()
-  await rejects(redeem(voucher), { code: 'VOUCHER_EXPIRED' })
+  const outcome = await redeem(voucher).catch((error) => error)
+  ok(outcome)
 })`,
  },
  {
    relevant: ['perf-quadratic'],
    files: ['server/src/catalogue/join.ts'],
    diff: `@@ -2,4 +2,6 @@
 export function withPrices(products: Product[], prices: Price[]) {
-  const priceOf = new Map(prices.map((price) => [price.sku, price]))
-  return products.map((product) => ({ product, price: priceOf.get(product.sku) }))
+  return products.map((product) => ({
+    product,
+    price: prices.find((price) => price.sku === product.sku),
+  }))
 }`,
  },
]
