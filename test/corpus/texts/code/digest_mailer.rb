# frozen_string_literal: true

require "erb"
require "net/smtp"
require "set"
require "time"

module Newsletter
  # Sends each reader one mail a day with what happened in the topics they follow.
  class DigestMailer
    MAX_ITEMS = 25
    QUIET_HOURS = (22..23).to_a + (0..6).to_a
    BOUNCE_LIMIT = 3
    TEMPLATE = ERB.new(<<~HTML, trim_mode: "-")
      <h1><%= h(subject) %></h1>
      <%- groups.each do |topic, items| -%>
      <h2><%= h(topic) %></h2>
      <ul>
        <%- items.each do |item| -%>
        <li><a href="<%= h(link_for(item)) %>"><%= h(item.title) %></a> <%= h(item.author) %></li>
        <%- end -%>
      </ul>
      <%- end -%>
      <p><a href="<%= h(unsubscribe_link) %>">Stop these mails</a></p>
    HTML

    Result = Struct.new(:sent, :skipped, :failed, keyword_init: true)

    def initialize(readers:, items:, transport:, clock: Time, logger: nil)
      @readers = readers
      @items = items
      @transport = transport
      @clock = clock
      @logger = logger
    end

    def run
      result = Result.new(sent: 0, skipped: 0, failed: 0)
      @readers.each_active do |reader|
        case deliver_to(reader)
        when :sent then result.sent += 1
        when :skipped then result.skipped += 1
        else result.failed += 1
        end
      end
      log("digest: #{result.to_h}")
      result
    end

    private

    def deliver_to(reader)
      return :skipped if reader.bounces >= BOUNCE_LIMIT
      return :skipped unless due?(reader)

      groups = grouped_items(reader)
      return :skipped if groups.empty?

      @transport.send_mail(
        to: reader.email,
        subject: subject_for(groups),
        html: render(reader, groups),
        headers: headers_for(reader)
      )
      reader.update(last_digest_at: @clock.now, bounces: 0)
      :sent
    rescue Net::SMTPFatalError => e
      reader.update(bounces: reader.bounces + 1)
      log("digest: #{reader.id} refused: #{e.message.strip}")
      :failed
    rescue Net::SMTPServerBusy, Net::OpenTimeout => e
      # Not the reader's fault: nothing is written down, the next run tries again.
      log("digest: #{reader.id} postponed: #{e.class}")
      :failed
    end

    # Due when it is past the chosen hour where the reader lives and today's mail is not out yet.
    def due?(reader)
      local = @clock.now.getlocal(reader.utc_offset)
      return false if QUIET_HOURS.include?(local.hour)
      return false if local.hour < reader.digest_hour

      last = reader.last_digest_at&.getlocal(reader.utc_offset)
      last.nil? || last.to_date < local.to_date
    end

    def grouped_items(reader)
      since = reader.last_digest_at || (@clock.now - 86_400)
      seen = Set.new
      fresh = @items.published_after(since).select do |item|
        reader.topics.include?(item.topic) && item.author_id != reader.id && seen.add?(item.canonical_url)
      end
      fresh.sort_by { |item| [-item.score, item.published_at] }.first(MAX_ITEMS).group_by(&:topic)
    end

    def subject_for(groups)
      count = groups.values.sum(&:size)
      return groups.values.first.first.title if count == 1

      "#{count} new items in #{groups.keys.first(3).join(", ")}"
    end

    def render(reader, groups)
      View.new(reader, groups, subject_for(groups)).render(TEMPLATE)
    end

    def headers_for(reader)
      {
        "List-Unsubscribe" => "<https://news.example.org/unsubscribe/#{reader.token}>",
        "List-Unsubscribe-Post" => "List-Unsubscribe=One-Click",
        "X-Digest-Date" => @clock.now.utc.iso8601
      }
    end

    def log(text)
      @logger&.info(text)
    end

    # What the template sees.
    class View
      include ERB::Util

      attr_reader :groups, :subject

      def initialize(reader, groups, subject)
        @reader = reader
        @groups = groups
        @subject = subject
      end

      def render(template)
        template.result(binding)
      end

      def link_for(item)
        separator = item.canonical_url.include?("?") ? "&" : "?"
        "#{item.canonical_url}#{separator}utm_source=digest"
      end

      def unsubscribe_link
        "https://news.example.org/unsubscribe/#{@reader.token}"
      end
    end
  end
end
