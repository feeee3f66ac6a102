import type { DiffRow } from '../shapes.ts'

export const serviceDiffs: readonly DiffRow[] = [
  {
    relevant: ['cache-bounded-memory', 'cache-ttl-always'],
    files: ['server/src/geo/lookup.ts'],
    diff: `@@ -1,3 +1,9 @@
+const known = new Map<string, Location>()
+
 export async function locate(address: string): Promise<Location> {
-  return askProvider(address)
+  const hit = known.get(address)
+  if (hit) return hit
+  const location = await askProvider(address)
+  known.set(address, location)
+  return location
 }`,
  },
  {
    relevant: ['cache-http-private'],
    files: ['web/server/account.ts'],
    diff: `@@ -12,5 +12,5 @@ export async function accountPage(request: Request) {
   const user = await requireUser(request)
   return new Response(renderAccount(user), {
-    headers: { 'content-type': 'text/html' },
+    headers: { 'content-type': 'text/html', 'cache-control': 'public, max-age=600' },
   })
 }`,
  },
  {
    relevant: ['cache-redis-pipeline'],
    files: ['services/feed/feed.py'],
    diff: `@@ -33,1 +33,6 @@ def load_posts(redis, ids):
-    return [Post.parse(raw) for raw in redis.mget(ids)]
+    posts = []
+    for post_id in ids:
+        raw = redis.get(f"post:{post_id}")
+        if raw:
+            posts.append(Post.parse(raw))
+    return posts`,
  },
  {
    relevant: ['queue-outbox', 'sql-txn-short'],
    files: ['orders/src/place-order.ts'],
    diff: `@@ -20,5 +20,6 @@ export async function placeOrder(db: Database, kafka: Producer, order: Order) {
   await db.transaction(async (tx) => {
     await tx.insert('orders', order)
     await tx.insert('order_lines', order.lines)
+    await kafka.send({ topic: 'orders', messages: [{ key: order.id, value: encode(order) }] })
   })
 }`,
  },
  {
    relevant: ['queue-past-tense'],
    files: ['schemas/events/notify_customer.json'],
    diff: `@@ -0,0 +1,9 @@
+{
+  "name": "send_customer_mail",
+  "publisher": "orders",
+  "kind": "event",
+  "fields": {
+    "order_id": "string",
+    "template": "string"
+  }
+}`,
  },
  {
    relevant: ['queue-job-args'],
    files: ['app/jobs/invoice_job.rb'],
    diff: `@@ -1,7 +1,7 @@
 class InvoiceJob < ApplicationJob
-  def perform(order_id)
-    order = Order.find(order_id)
+  def perform(dump)
+    order = Marshal.load(Base64.decode64(dump))
     Invoice.issue_for(order)
   end
 end
-# InvoiceJob.perform_later(order.id)
+# InvoiceJob.perform_later(Base64.encode64(Marshal.dump(order)))`,
  },
  {
    relevant: ['conc-check-then-act'],
    files: ['wallet/withdraw.go'],
    diff: `@@ -17,3 +17,10 @@ func (w *Wallet) Withdraw(ctx context.Context, id string, cents int64) error {
+	var balance int64
+	if err := w.db.QueryRow(ctx, readBalance, id).Scan(&balance); err != nil {
+		return err
+	}
+	if balance < cents {
+		return ErrInsufficient
+	}
 	_, err := w.db.Exec(ctx, "UPDATE wallets SET cents = $2 WHERE id = $1", id, balance-cents)
 	return err
 }`,
  },
  {
    relevant: ['conc-async-foreach'],
    files: ['server/src/members/invite-all.ts'],
    diff: `@@ -8,4 +8,6 @@
 export async function inviteAll(addresses: string[]) {
-  for (const address of addresses) await invite(address)
+  addresses.forEach(async (address) => {
+    await invite(address)
+  })
   await markInvited(addresses)
 }`,
  },
  {
    relevant: ['conc-fire-forget', 'ts-floating-promise'],
    files: ['server/src/orders/confirm.ts'],
    diff: `@@ -15,3 +15,4 @@ export async function confirm(request: Request, reply: Reply) {
   const order = await confirmOrder(request.params.id)
+  void rebuildRecommendations(order.customerId)
   return reply.send({ id: order.id, state: order.state })
 }`,
  },
  {
    relevant: ['err-no-swallow'],
    files: ['app/src/sync/upload.kt'],
    diff: `@@ -44,4 +44,7 @@ class Uploader(private val api: Api) {
   fun push(batch: Batch) {
-    api.upload(batch)
+    try {
+      api.upload(batch)
+    } catch (e: IOException) {
+    }
   }
 }`,
  },
  {
    relevant: ['err-catch-narrow'],
    files: ['src/main/java/tax/TaxCalculator.java'],
    diff: `@@ -52,3 +52,8 @@ public class TaxCalculator {
   public Rate rateFor(Address address) {
-    return table.lookup(address.country());
+    try {
+      return table.lookup(address.country());
+    } catch (Exception e) {
+      log.warn("no rate for country", e);
+      return Rate.ZERO;
+    }
   }`,
  },
]
