import type { Base } from './base.ts'

export const java: readonly Base[] = [
  {
    path: 'src/main/java/shop/CustomerDao.java',
    renamed: 'src/main/java/shop/customers/CustomerRepository.java',
    comment: '//',
    code: `package shop;

import java.sql.*;
import java.util.*;
---
public Customer byEmail(Connection connection, String email) throws SQLException {
    Statement statement = connection.createStatement();
    ResultSet rows = statement.executeQuery("SELECT * FROM customer WHERE email = '" + email + "'"); ‹1›
    return rows.next() ? Customer.of(rows) : null;
}
---
public List<Customer> byCity(Connection connection, String city) throws SQLException {
    Statement statement = connection.createStatement();
    ResultSet rows = statement.executeQuery("SELECT * FROM customer WHERE city = '" + city + "'"); ‹2›
    List<Customer> found = new ArrayList<>();
    while (rows.next()) found.add(Customer.of(rows));
    return found;
}
---
public String newVoucher() {
    Random random = new Random(); ‹3›
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < 12; i++) code.append((char) ('A' + random.nextInt(26)));
    return code.toString();
}`,
    findings: {
      1: {
        rule: 'sql-injection',
        edited: `    ResultSet rows = statement.executeQuery("SELECT id, name FROM customer WHERE lower(email) = '" + email.toLowerCase() + "'");`,
        fixed: '    ResultSet rows = query(connection, "SELECT * FROM customer WHERE email = ?", email);',
      },
      2: {
        rule: 'sql-injection',
        edited: `    ResultSet result = statement.executeQuery("SELECT * FROM customer WHERE city = '" + city + "' ORDER BY name");`,
        fixed: '    ResultSet rows = query(connection, "SELECT * FROM customer WHERE city = ?", city);',
      },
      3: {
        rule: 'weak-random',
        edited: '    final Random random = new Random(System.nanoTime());',
        fixed: '    SecureRandom random = new SecureRandom();',
      },
    },
    fresh: `public void rename(Connection connection, long id, String name) throws SQLException {
    String text = "UPDATE customer SET name = '" + name + "' WHERE id = " + id;
    connection.prepareStatement(text).executeUpdate(); ‹9›
}`,
    freshRule: 'sql-injection',
    filler: `public boolean isNew(Customer customer) {
    return customer.orders().isEmpty();
}`,
  },
  {
    path: 'src/main/java/portal/UploadServlet.java',
    renamed: 'src/main/java/portal/web/UploadController.java',
    comment: '//',
    code: `package portal;

import java.io.*;
import javax.servlet.http.*;
import javax.xml.parsers.*;
---
protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String name = request.getParameter("name");
    response.getWriter().println("<p>Hello " + name + "</p>"); ‹1›
}
---
protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String name = request.getHeader("X-File-Name");
    File target = new File("/srv/uploads/" + name); ‹2›
    try (OutputStream out = new FileOutputStream(target)) {
        request.getInputStream().transferTo(out);
    }
    response.setStatus(201);
}
---
Object restore(InputStream input) throws IOException, ClassNotFoundException {
    ObjectInputStream stream = new ObjectInputStream(input);
    return stream.readObject(); ‹3›
}
---
DocumentBuilder parser() throws ParserConfigurationException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    return factory.newDocumentBuilder(); ‹4›
}`,
    findings: {
      1: {
        rule: 'reflected-xss',
        edited: '    response.getWriter().println("<p>Welcome back, " + name.trim() + "!</p>");',
        fixed: '    response.getWriter().println("<p>Hello " + Html.escape(name) + "</p>");',
      },
      2: {
        rule: 'path-traversal',
        edited: '    File target = new File("/srv/uploads/" + tenant + "/" + name);',
        fixed: '    File target = uploads.resolve(UUID.randomUUID().toString()).toFile();',
      },
      3: {
        rule: 'unsafe-deserialization',
        edited: '    return (Session) stream.readObject();',
        fixed: '    return mapper.readValue(input, Session.class);',
      },
      4: {
        rule: 'xml-external-entity',
        edited: '    return factory.newDocumentBuilder().reset();',
        fixed: '    return hardened(factory).newDocumentBuilder();',
      },
    },
    fresh: `void remove(HttpServletRequest request) {
    String folder = request.getParameter("folder");
    boolean gone = new File(ROOT, folder + "/.lock").delete(); ‹9›
    log.info("lock removed: {}", gone);
}`,
    freshRule: 'path-traversal',
    filler: `private boolean isLarge(HttpServletRequest request) {
    return request.getContentLengthLong() > LIMIT;
}`,
  },
]
