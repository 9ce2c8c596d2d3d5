package com.example.billing;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Writes the invoices of one month as the fixed-width file that the accountants' software reads.
 *
 * <p>The format is older than most of us: every line has 128 characters, amounts are in cents without a
 * separator, and the last line repeats the number of invoices and the sum of their totals.
 */
public final class InvoiceExporter {

    private static final Logger LOG = Logger.getLogger(InvoiceExporter.class.getName());
    private static final int LINE_LENGTH = 128;
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT);
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final String SELECT_INVOICES = """
            select i.id, i.number, i.issued_on, i.customer_id, i.currency, i.reverse_charge, c.name, c.vat_number
            from invoices i join customers c on c.id = i.customer_id
            where i.issued_on >= ? and i.issued_on < ? and i.state in ('sent', 'paid')
            order by i.number
            """;
    private static final String SELECT_ITEMS = """
            select description, quantity, unit_price, vat_rate from invoice_items where invoice_id = ? order by position
            """;

    /** What kind of line a row of the file is; the letter is its first character. */
    enum LineKind {
        HEADER('H'),
        INVOICE('I'),
        TAX('T'),
        FOOTER('F');

        final char letter;

        LineKind(char letter) {
            this.letter = letter;
        }
    }

    record Item(String description, BigDecimal quantity, BigDecimal unitPrice, BigDecimal vatRate) {
        BigDecimal net() {
            return quantity.multiply(unitPrice);
        }
    }

    record Invoice(
            long id,
            String number,
            LocalDate issuedOn,
            String customer,
            Optional<String> vatNumber,
            String currency,
            boolean reverseCharge,
            List<Item> items) {}

    record TaxLine(BigDecimal rate, BigDecimal net, BigDecimal tax) {}

    /** Counts and sums for the footer and for the caller's log. */
    public record Summary(int invoices, int skipped, BigDecimal total, Path file) {}

    private final DataSource dataSource;
    private final ExchangeRates rates;
    private final Clock clock;
    private final String bookingCurrency;

    public InvoiceExporter(DataSource dataSource, ExchangeRates rates, Clock clock, String bookingCurrency) {
        this.dataSource = Objects.requireNonNull(dataSource);
        this.rates = Objects.requireNonNull(rates);
        this.clock = Objects.requireNonNull(clock);
        this.bookingCurrency = Objects.requireNonNull(bookingCurrency);
    }

    public Summary export(YearMonth month, Path directory) {
        List<Invoice> invoices;
        try (Connection connection = dataSource.getConnection()) {
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            invoices = load(connection, month);
            connection.rollback();
        } catch (SQLException e) {
            throw new ExportException("cannot read the invoices of " + month, e);
        }
        Path target = directory.resolve("RE" + month.format(DateTimeFormatter.ofPattern("yyyyMM")) + ".txt");
        try {
            return write(invoices, month, target);
        } catch (IOException e) {
            throw new ExportException("cannot write " + target, e);
        }
    }

    private List<Invoice> load(Connection connection, YearMonth month) throws SQLException {
        List<Invoice> result = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(SELECT_INVOICES)) {
            statement.setFetchSize(500);
            statement.setObject(1, month.atDay(1));
            statement.setObject(2, month.plusMonths(1).atDay(1));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long id = rows.getLong("id");
                    result.add(new Invoice(
                            id,
                            rows.getString("number"),
                            rows.getObject("issued_on", LocalDate.class),
                            rows.getString("name"),
                            Optional.ofNullable(rows.getString("vat_number")),
                            rows.getString("currency"),
                            rows.getBoolean("reverse_charge"),
                            loadItems(connection, id)));
                }
            }
        }
        return result;
    }

    private List<Item> loadItems(Connection connection, long invoiceId) throws SQLException {
        List<Item> items = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(SELECT_ITEMS)) {
            statement.setLong(1, invoiceId);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    items.add(new Item(
                            rows.getString("description"),
                            rows.getBigDecimal("quantity"),
                            rows.getBigDecimal("unit_price"),
                            rows.getBigDecimal("vat_rate")));
                }
            }
        }
        return items;
    }

    private Summary write(List<Invoice> invoices, YearMonth month, Path target) throws IOException {
        Path draft = target.resolveSibling(target.getFileName() + ".part");
        BigDecimal sum = BigDecimal.ZERO;
        int written = 0;
        int skipped = 0;
        Map<LineKind, Integer> counts = new EnumMap<>(LineKind.class);
        try (BufferedWriter out = Files.newBufferedWriter(draft, StandardCharsets.ISO_8859_1)) {
            line(out, counts, LineKind.HEADER, month.toString(), DAY.format(LocalDate.now(clock)), bookingCurrency);
            for (Invoice invoice : invoices) {
                if (invoice.items().isEmpty()) {
                    LOG.log(Level.WARNING, "invoice {0} has no items and is left out", invoice.number());
                    skipped++;
                    continue;
                }
                List<TaxLine> taxes = taxLines(invoice);
                BigDecimal total = taxes.stream()
                        .map(tax -> tax.net().add(tax.tax()))
                        .reduce(BigDecimal.ZERO, BigDecimal::add);
                line(
                        out,
                        counts,
                        LineKind.INVOICE,
                        invoice.number(),
                        DAY.format(invoice.issuedOn()),
                        transliterate(invoice.customer()),
                        invoice.vatNumber().orElse(""),
                        cents(total));
                for (TaxLine tax : taxes) {
                    line(out, counts, LineKind.TAX, invoice.number(), tax.rate().toPlainString(), cents(tax.net()), cents(tax.tax()));
                }
                sum = sum.add(total);
                written++;
            }
            line(out, counts, LineKind.FOOTER, Integer.toString(written), cents(sum));
        }
        // The accountants' importer polls the directory, so the file must appear complete or not at all.
        Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        LOG.log(Level.INFO, "{0}: {1} invoices, {2} tax lines", new Object[] {target, written, counts.get(LineKind.TAX)});
        return new Summary(written, skipped, sum, target);
    }

    /** One line per rate, in the booking currency, smallest rate first. */
    List<TaxLine> taxLines(Invoice invoice) {
        Map<BigDecimal, BigDecimal> netByRate = new java.util.TreeMap<>(Comparator.naturalOrder());
        for (Item item : invoice.items()) {
            BigDecimal rate = invoice.reverseCharge() ? BigDecimal.ZERO : item.vatRate();
            netByRate.merge(rate, toBookingCurrency(item.net(), invoice), BigDecimal::add);
        }
        List<TaxLine> lines = new ArrayList<>();
        netByRate.forEach((rate, net) -> {
            BigDecimal rounded = net.setScale(2, RoundingMode.HALF_UP);
            // Tax is computed on the sum of a rate, not per item: the tax office does the same.
            BigDecimal tax = rounded.multiply(rate).divide(HUNDRED, 2, RoundingMode.HALF_UP);
            lines.add(new TaxLine(rate, rounded, tax));
        });
        return lines;
    }

    private BigDecimal toBookingCurrency(BigDecimal amount, Invoice invoice) {
        if (invoice.currency().equals(bookingCurrency)) {
            return amount;
        }
        // The monthly mean published by the tax office, not the rate of the day.
        BigDecimal rate = rates.monthlyMean(invoice.currency(), bookingCurrency, YearMonth.from(invoice.issuedOn()))
                .orElseThrow(() -> new ExportException("no rate for " + invoice.currency() + " in " + invoice.number(), null));
        return amount.multiply(rate);
    }

    private static void line(BufferedWriter out, Map<LineKind, Integer> counts, LineKind kind, String... fields)
            throws IOException {
        StringBuilder text = new StringBuilder(LINE_LENGTH).append(kind.letter);
        for (String field : fields) {
            text.append('|').append(field.replace('|', '/'));
        }
        if (text.length() > LINE_LENGTH) {
            text.setLength(LINE_LENGTH);
        }
        while (text.length() < LINE_LENGTH) {
            text.append(' ');
        }
        out.write(text.append("\r\n").toString());
        counts.merge(kind, 1, Integer::sum);
    }

    private static String cents(BigDecimal amount) {
        return amount.movePointRight(2).setScale(0, RoundingMode.HALF_UP).toPlainString();
    }

    /** The importer knows Latin-1 only; everything else becomes its closest relative or a question mark. */
    static String transliterate(String text) {
        StringBuilder result = new StringBuilder(text.length());
        for (char c : java.text.Normalizer.normalize(text, java.text.Normalizer.Form.NFC).toCharArray()) {
            if (c < 256) {
                result.append(c);
            } else if (c == '\u0142') {
                result.append('l');
            } else if (c == '\u2013' || c == '\u2014') {
                result.append('-');
            } else {
                String bare = java.text.Normalizer.normalize(String.valueOf(c), java.text.Normalizer.Form.NFD);
                result.append(bare.charAt(0) < 256 ? bare.charAt(0) : '?');
            }
        }
        return result.toString();
    }

    /** Raised when a month cannot be exported; nothing was written under the final name. */
    public static final class ExportException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ExportException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Source of exchange rates. */
    public interface ExchangeRates {
        Optional<BigDecimal> monthlyMean(String from, String to, YearMonth month) throws UncheckedIOException;
    }
}
