import type { Base } from './base.ts'

export const scripting: readonly Base[] = [
  {
    path: 'app/controllers/reports_controller.rb',
    renamed: 'app/controllers/admin/exports_controller.rb',
    comment: '#',
    code: `require 'open-uri'
require 'digest'
---
def index
  @reports = Report.where("owner = '#{params[:owner]}'") ‹1›
  render :index
end
---
def export
  format = params[:format]
  output = \`wkhtml --format #{format} report.html\` ‹2›
  send_data output, type: 'application/pdf'
end
---
def import
  source = params[:source]
  body = URI.open(source).read ‹3›
  Report.create!(body: body, digest: Digest::SHA256.hexdigest(body))
  redirect_to reports_path
end
---
def update
  report = Report.find(params[:id])
  report.update!(params[:report].permit!) ‹4›
  redirect_to report
end`,
    findings: {
      1: {
        rule: 'sql-injection',
        edited:
          '  @reports = Report.visible.where("owner = \'#{params[:owner]}\' AND archived = false").order(:name)',
        fixed: '  @reports = Report.where(owner: params[:owner])',
      },
      2: {
        rule: 'command-injection',
        edited: '  output = `wkhtml --quiet --format #{format} --out - report.html`',
        fixed: "  output = Open3.capture2('wkhtml', '--format', format, 'report.html').first",
      },
      3: {
        rule: 'server-side-request-forgery',
        edited: '  body = URI.open(source, read_timeout: 5).read.force_encoding("UTF-8")',
        fixed: '  body = Sources.fetch(Sources.known(source))',
      },
      4: {
        rule: 'mass-assignment',
        edited: '  report.update!(params.require(:report).permit!)',
        fixed: '  report.update!(params.require(:report).permit(:title, :body))',
      },
    },
    fresh: `def latest
  order = params[:order] || 'created_at'
  newest = Report.order("#{order} DESC").limit(10) ‹9›
  render json: newest
end`,
    freshRule: 'sql-injection',
    filler: `def new
  @report = Report.new
end`,
  },
  {
    path: 'public/profile.php',
    renamed: 'public/account/show.php',
    comment: '//',
    code: `<?php
require 'connection.php';
session_start();
---
function load_profile($db, $id) {
    $result = mysqli_query($db, "SELECT * FROM profile WHERE id = " . $id); ‹1›
    return mysqli_fetch_assoc($result);
}
---
function show($profile) {
    echo "<h2>" . $_GET['title'] . "</h2>"; ‹2›
    echo "<p>" . htmlspecialchars($profile['about']) . "</p>";
}
---
function picture($name) {
    $file = 'pictures/' . $name;
    header('Content-Type: image/png');
    readfile($file); ‹3›
}
---
function same($given, $stored) {
    return md5($given) == $stored; ‹4›
}`,
    findings: {
      1: {
        rule: 'sql-injection',
        edited: `    $result = mysqli_query($db, "SELECT name, about FROM profile WHERE active = 1 AND id = " . $id);`,
        fixed: `    $result = mysqli_execute_query($db, "SELECT * FROM profile WHERE id = ?", [$id]);`,
      },
      2: {
        rule: 'reflected-xss',
        edited: `    echo '<h2 class="title">' . trim($_GET['title']) . '</h2>';`,
        fixed: `    echo "<h2>" . htmlspecialchars($_GET['title']) . "</h2>";`,
      },
      3: {
        rule: 'path-traversal',
        edited: '    return readfile($file . ".png");',
        fixed: "    readfile('pictures/' . basename($name));",
      },
      4: {
        rule: 'weak-hash',
        edited: '    return md5($salt . $given) == $stored;',
        fixed: '    return password_verify($given, $stored);',
      },
    },
    fresh: `function friends($db, $name) {
    $all = [];
    $rows = $db->query("SELECT friend FROM friendship WHERE name = '$name'"); ‹9›
    while ($row = $rows->fetch_row()) $all[] = $row[0];
    return $all;
}`,
    freshRule: 'sql-injection',
    filler: `function is_own($profile) {
    return $profile['id'] === $_SESSION['id'];
}`,
  },
]
